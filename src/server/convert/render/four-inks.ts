import * as mupdf from 'mupdf'
import { jpegHeader } from './jpeg.ts'
import { TooComplex } from './svg/minify.ts'

/** These come without a reference of their own: were they collected, they would be freed twice. */
const handedOut: mupdf.Image[] = []
const mostPixels = 20_000_000

/**
 * Browsers show JPEGs in printing inks (CMYK) in wrong colours, and mupdf passes them through. Finds such an image on the
 * page again and gives it in screen colours.
 */
export function replacementImages(list: mupdf.DisplayList): (jpeg: Uint8Array) => string {
  let images: { image: mupdf.Image; used: boolean }[] | undefined
  return (jpeg) => {
    images ??= inkImages(list).map((image) => ({ image, used: false }))
    const header = jpegHeader(jpeg)
    const same = images.filter(({ image }) => image.getWidth() === header?.width && image.getHeight() === header.height)
    const found = same.find(({ used }) => !used) ?? same.at(-1)
    if (!found) throw new TooComplex('an image in printing inks')
    found.used = true
    return screenColours(found.image)
  }
}

function inkImages(list: mupdf.DisplayList): mupdf.Image[] {
  const images = new Map<number, mupdf.Image>()
  const text = list.toStructuredText('preserve-images')
  text.walk({
    onImageBlock(_box, _transform, image) {
      handedOut.push(image)
      if (image.getNumberOfComponents() === 4) images.set(Number(image.pointer), image)
    },
  })
  text.destroy()
  return [...images.values()]
}

function screenColours(image: mupdf.Image): string {
  if (image.getWidth() * image.getHeight() > mostPixels) throw new TooComplex('a very large image in printing inks')
  const inks = image.toPixmap()
  const colours = inks.convertToColorSpace(mupdf.ColorSpace.DeviceRGB, false)
  const jpeg = Buffer.from(colours.asJPEG(85, false)).toString('base64')
  inks.destroy()
  colours.destroy()
  return `data:image/jpeg;base64,${jpeg}`
}
