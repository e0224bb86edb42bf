import { readJpegHeader } from '../../jpeg.ts'

/** Another image, as a data URL, for a CMYK JPEG, which browsers show in wrong colours. */
export type ReplaceImage = (jpeg: Uint8Array) => string

/** The data URL of a PNG, JPEG or WebP image; undefined for any other address. */
export function imageUrl(address: string, replaceImage: ReplaceImage): string | undefined {
  const url = address.replace(/\s+/g, '')
  const [, type, data] = /^data:image\/(png|jpeg|jpg|webp);base64,([\w+/=]*)$/.exec(url) ?? []
  if (!type || !data) return undefined
  if (type === 'png' || type === 'webp') return url
  const jpeg = Buffer.from(data, 'base64')
  return readJpegHeader(jpeg)?.components === 4 ? replaceImage(jpeg) : url
}
