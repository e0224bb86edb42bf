import { placement, type Crop, type Size } from '#web/lib/crop.ts'
import { cropInWords, useCropGestures } from '#web/lib/crop-gestures.ts'

interface CropStageProps {
  picture: HTMLImageElement
  size: Size
  crop: Crop
  onCrop: (change: (crop: Crop) => Crop) => void
}

/** The picture under the square that is kept. */
export function CropStage({ picture, size, crop, onCrop }: CropStageProps) {
  const { stage, grip } = useCropGestures(size, onCrop)
  return (
    <div ref={stage} className="relative size-60 shrink-0 overflow-hidden rounded-md bg-sunken">
      <img src={picture.src} alt="" style={placement(crop, size)} className="absolute max-w-none" />
      <span
        aria-hidden
        className="absolute inset-0 rounded-full shadow-[0_0_0_999px_var(--scrim)] outline-2 -outline-offset-1 outline-[#fff]"
      />
      <button
        type="button"
        aria-label={cropInWords(crop, size)}
        {...grip}
        className="absolute inset-0 cursor-move touch-none select-none focus-visible:-outline-offset-2"
      />
    </div>
  )
}
