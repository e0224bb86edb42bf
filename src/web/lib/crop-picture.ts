import type { Crop } from '#web/lib/crop.ts'

export const pictureKinds = 'image/png,image/jpeg,image/gif,image/webp,image/bmp'

/** A chosen file as a picture; whoever opened it gives its address back with `closePicture`. */
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

/** The part that is kept as a file of its own, no wider than the site needs. */
export async function cutOut(
  picture: HTMLImageElement,
  { left, top, width, height }: Crop,
  { widest, name }: { widest: number; name: string },
): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(widest, Math.round(width))
  canvas.height = Math.max(1, Math.round((canvas.width * height) / width))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('the browser draws nothing')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.92))
  if (!blob) throw new Error('the browser gives no picture')
  return new File([blob], name, { type: blob.type })
}
