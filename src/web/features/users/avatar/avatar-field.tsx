import { Suspense, useRef, useState } from 'react'
import { closePicture, openPicture, pictureTypes } from '#web/domain/pictures/crop-picture.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const CropDialog = lazyOverlay(async () => (await import('#web/features/users/avatar/crop-dialog.tsx')).CropDialog)

/** The member's picture, and the button to replace it. */
export function AvatarField({ user: { avatar } }: { user: { avatar: string } }) {
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<HTMLImageElement>()
  const [busy, setBusy] = useState(false)
  const choose = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    try {
      setPicture(await openPicture(file))
    } catch {
      toast('这张图片打不开，请换一张 PNG、JPEG、GIF、WebP 或 BMP 图片', 'danger')
    } finally {
      setBusy(false)
    }
  }
  const close = () => {
    if (picture) closePicture(picture)
    setPicture(undefined)
  }
  return (
    <div className="flex items-center gap-5">
      <Avatar src={avatar} />
      <div>
        <Button busy={busy} onClick={() => input.current?.click()}>
          {avatar ? '更换头像' : '上传头像'}
        </Button>
        <p className="mt-1.5 text-sm text-muted">选择一张图片，再裁成方形</p>
        <input
          ref={input}
          type="file"
          accept={pictureTypes}
          aria-label="选择头像图片"
          className="hidden"
          onChange={(event) => {
            void choose(event.target.files?.[0])
            // Otherwise choosing the same file again would be no change.
            event.target.value = ''
          }}
        />
      </div>
      {picture && (
        <Suspense fallback={<Spinner />}>
          <CropDialog picture={picture} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}
