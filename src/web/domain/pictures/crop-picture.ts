import type { Crop } from '#web/domain/pictures/crop.ts'

export const pictureTypes = 'image/png,image/jpeg,image/gif,image/webp,image/bmp'

/** Decodes a chosen file; the caller releases it with `closePicture`. */
export async function openPicture(file: File): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = URL.createObjectURL(file)
  try {
    await picture.decode()
  } catch (error) {
    closePicture(picture)
    throw error
  }
  return picture
}

export function closePicture({ src }: HTMLImageElement): void {
  URL.revokeObjectURL(src)
}

/** The cropped part as a WebP file, scaled down to `maxWidth`. */
export async function cropToFile(
  picture: HTMLImageElement,
  { left, top, width, height }: Crop,
  { maxWidth, name }: { maxWidth: number; name: string },
): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(maxWidth, Math.round(width))
  canvas.height = Math.max(1, Math.round((canvas.width * height) / width))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas context')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.92))
  if (!blob) throw new Error('the canvas could not be encoded')
  return new File([blob], name, { type: blob.type })
}
