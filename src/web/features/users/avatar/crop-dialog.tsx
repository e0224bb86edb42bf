import { ZoomIn, ZoomOut } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { CropStage } from '#web/features/users/avatar/crop-stage.tsx'
import { refreshUser } from '#web/domain/account.ts'
import { maxZoom, largestCrop, imagePlacement, zoomCrop, currentZoom } from '#web/domain/pictures/crop.ts'
import { cropToFile } from '#web/domain/pictures/crop-picture.ts'
import { uploadPicture } from '#web/domain/pictures/upload-picture.ts'
import { errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Crops a picture to a square and uploads it. */
export function CropDialog({ picture, onClose }: { picture: HTMLImageElement; onClose: () => void }) {
  const { revalidate } = useRevalidator()
  const size = { width: picture.naturalWidth, height: picture.naturalHeight }
  const [crop, setCrop] = useState(() => largestCrop(size))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const save = async () => {
    setBusy(true)
    setProblem('')
    try {
      await uploadPicture('avatar', await cropToFile(picture, crop, { maxWidth, name: '头像.webp' }))
      // The upload is done: should refreshing fail, the next page shows it.
      await Promise.allSettled([refreshUser(), revalidate()])
      toast('头像已更新')
      onClose()
    } catch (error) {
      setProblem(errorMessage(error, '没有上传成功，请稍后重试'))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={() => !busy && onClose()}
      title="裁剪头像"
      description="拖动图片选取范围，滚轮或双指缩放；也可以用方向键和加减键。"
    >
      <div className="mt-4 flex flex-wrap items-center justify-center gap-5">
        <CropStage picture={picture} size={size} crop={crop} onCrop={setCrop} />
        <div className="flex items-center gap-4 sm:flex-col">
          {previewSizes.map((side) => (
            <Preview key={side} side={side} picture={picture} placement={imagePlacement(crop, size)} />
          ))}
        </div>
      </div>
      <label className="mt-4 flex items-center gap-3 text-muted">
        <ZoomOut size={18} aria-hidden />
        <input
          type="range"
          min={1}
          max={maxZoom(crop, size)}
          step={0.01}
          value={currentZoom(crop, size)}
          disabled={maxZoom(crop, size) === 1}
          onChange={(event) => setCrop(zoomCrop(crop, size, Number(event.target.value)))}
          aria-label="缩放"
          className="min-w-0 flex-1 accent-accent"
        />
        <ZoomIn size={18} aria-hidden />
      </label>
      {problem && (
        <div className="mt-4">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
      <div className="mt-6 flex justify-end gap-3">
        <Button onClick={onClose} disabled={busy}>
          取消
        </Button>
        <Button variant="primary" busy={busy} onClick={() => void save()}>
          保存头像
        </Button>
      </div>
    </Dialog>
  )
}

/** As on the profile page and in the header. */
const previewSizes = [80, 42]

interface PreviewProps {
  side: number
  picture: HTMLImageElement
  placement: ReturnType<typeof imagePlacement>
}

function Preview({ side, picture, placement }: PreviewProps) {
  return (
    <span
      style={{ width: side, height: side }}
      className="relative block overflow-hidden rounded-full border border-line bg-sunken"
    >
      <img src={picture.src} alt="" style={placement} className="absolute max-w-none" />
    </span>
  )
}

/** The server stores no larger avatars. */
const maxWidth = 512
