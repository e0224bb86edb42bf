import { imagePlacement, type Crop, type Size } from '#web/domain/pictures/crop.ts'
import { describeCrop, useCropGestures } from '#web/domain/pictures/crop-gestures.ts'

interface CropStageProps {
  picture: HTMLImageElement
  size: Size
  crop: Crop
  onCrop: (change: (crop: Crop) => Crop) => void
}

/** The picture under the crop, which is drawn as a circle. */
export function CropStage({ picture, size, crop, onCrop }: CropStageProps) {
  const { stage, grip } = useCropGestures(size, onCrop)
  return (
    <div ref={stage} className="relative size-60 shrink-0 overflow-hidden rounded-md bg-sunken">
      <img src={picture.src} alt="" style={imagePlacement(crop, size)} className="absolute max-w-none" />
      <span
        aria-hidden
        className="absolute inset-0 rounded-full shadow-[0_0_0_999px_var(--scrim)] outline-2 -outline-offset-1 outline-[#fff]"
      />
      <button
        type="button"
        aria-label={describeCrop(crop, size)}
        {...grip}
        className="absolute inset-0 cursor-move touch-none select-none focus-visible:-outline-offset-2"
      />
    </div>
  )
}
