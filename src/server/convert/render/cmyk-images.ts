import * as mupdf from 'mupdf'
import { TooComplex } from './failures.ts'
import { readJpegHeader } from './jpeg.ts'

/** MuPDF hands these out without a reference count: a finalizer would free them twice, so they are never collected. */
const unownedImages: mupdf.Image[] = []
const maxPixels = 20_000_000

/**
 * Browsers show CMYK JPEGs in wrong colours, and MuPDF writes them into the SVG as they are. This finds such an image on
 * the page and converts it to RGB.
 */
export function cmykReplacer(list: mupdf.DisplayList): (jpeg: Uint8Array) => string {
  let images: { image: mupdf.Image; used: boolean }[] | undefined
  return (jpeg) => {
    images ??= findCmykImages(list).map((image) => ({ image, used: false }))
    const header = readJpegHeader(jpeg)
    const candidates = images.filter(
      ({ image }) => image.getWidth() === header?.width && image.getHeight() === header.height,
    )
    const match = candidates.find(({ used }) => !used) ?? candidates.at(-1)
    if (!match) throw new TooComplex('a CMYK image')
    match.used = true
    return toRgbJpeg(match.image)
  }
}

function findCmykImages(list: mupdf.DisplayList): mupdf.Image[] {
  const images = new Map<number, mupdf.Image>()
  const text = list.toStructuredText('preserve-images')
  text.walk({
    onImageBlock(_box, _transform, image) {
      unownedImages.push(image)
      if (image.getNumberOfComponents() === 4) images.set(Number(image.pointer), image)
    },
  })
  text.destroy()
  return [...images.values()]
}

function toRgbJpeg(image: mupdf.Image): string {
  if (image.getWidth() * image.getHeight() > maxPixels) throw new TooComplex('a very large CMYK image')
  const cmyk = image.toPixmap()
  const rgb = cmyk.convertToColorSpace(mupdf.ColorSpace.DeviceRGB, false)
  const jpeg = Buffer.from(rgb.asJPEG(85, false)).toString('base64')
  cmyk.destroy()
  rgb.destroy()
  return `data:image/jpeg;base64,${jpeg}`
}
