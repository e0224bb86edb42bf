import { ZoomIn, ZoomOut } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { ApiError } from '#shared/errors.ts'
import { CropStage } from '#web/features/users/avatar/crop-stage.tsx'
import { refreshUser } from '#web/lib/account.ts'
import { farthestZoom, largestCrop, placement, zoomed, zoomOf } from '#web/lib/crop.ts'
import { cutOut } from '#web/lib/crop-picture.ts'
import { uploadPicture } from '#web/lib/upload-picture.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'

/** From a picture of any shape to a square one that the site keeps. */
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
      await uploadPicture('avatar', await cutOut(picture, crop, { widest, name: '头像.webp' }))
      // The site has it: should it not be shown at once, it will be with the next page.
      await Promise.allSettled([refreshUser(), revalidate()])
      toast('头像已更新')
      onClose()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : '没有上传成功，请稍后重试')
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
            <Preview key={side} side={side} picture={picture} place={placement(crop, size)} />
          ))}
        </div>
      </div>
      <label className="mt-4 flex items-center gap-3 text-muted">
        <ZoomOut size={18} aria-hidden />
        <input
          type="range"
          min={1}
          max={farthestZoom(crop, size)}
          step={0.01}
          value={zoomOf(crop, size)}
          disabled={farthestZoom(crop, size) === 1}
          onChange={(event) => setCrop(zoomed(crop, size, Number(event.target.value)))}
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
        <Button look="primary" busy={busy} onClick={() => void save()}>
          保存头像
        </Button>
      </div>
    </Dialog>
  )
}

/** As it stands on one's own page and in the header. */
const previewSizes = [80, 42]

interface PreviewProps {
  side: number
  picture: HTMLImageElement
  place: ReturnType<typeof placement>
}

function Preview({ side, picture, place }: PreviewProps) {
  return (
    <span
      style={{ width: side, height: side }}
      className="relative block overflow-hidden rounded-full border border-line bg-sunken"
    >
      <img src={picture.src} alt="" style={place} className="absolute max-w-none" />
    </span>
  )
}

/** The site keeps no larger ones. */
const widest = 512
