import { open } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { errors } from '#shared/errors.ts'
import { decodeBmp } from './bmp.ts'

export interface Picture {
  bytes: Uint8Array
  ext: string
  width: number
  height: number
}

interface EncodeOptions {
  /** The maximum width and height, in pixels; larger images are scaled down. */
  side: number
  /** The format of the result; by default it depends on the source. */
  as?: 'webp'
}

const maxPixels = 40_000_000

// No picture is decoded a second time; the cache would keep its file and its pixels.
sharp.cache(false)

/** Decoding an image takes much memory: one at a time. */
const limit = pLimit(1)

/**
 * Re-encodes an untrusted image, which removes everything but its pixels. Throws if it is no image, or would need too much
 * memory.
 */
export function encodePicture(path: string, options: EncodeOptions): Promise<Picture> {
  return limit(() => encode(path, options))
}

type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'bmp'

async function encode(path: string, { side, as }: EncodeOptions): Promise<Picture> {
  const format = await detectFormat(path)
  if (!format) throw errors.uploads.notImage()
  const source = await openSource(path, format)
  const { pages = 1, pageHeight, width, height } = await source.metadata().catch(throwUploadError)
  if (width * (pageHeight ?? height) * pages > maxPixels) throw errors.uploads.imageTooLarge()

  const shaped = source.autoOrient().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  const output = as ?? outputs[format]
  const { data, info } = await shaped
    .toFormat(output, { quality: 85, effort: output === 'webp' ? 3 : undefined })
    .toBuffer({ resolveWithObject: true })
    .catch(throwUploadError)
  return {
    bytes: data,
    ext: output === 'jpeg' ? '.jpg' : `.${output}`,
    width: info.width,
    height: info.pageHeight ?? info.height,
  }
}

const outputs = { jpeg: 'jpeg', png: 'png', gif: 'webp', webp: 'webp', bmp: 'webp' } as const

async function openSource(path: string, format: Format): Promise<Sharp> {
  if (format !== 'bmp')
    return sharp(path, { limitInputPixels: maxPixels, animated: format === 'gif' || format === 'webp' })
  const { pixels, width, height } = await decodeBmp(path, maxPixels)
  return sharp(pixels, { raw: { width, height, channels: 4 } })
}

/** By magic number. SVG, HTML and other formats that a browser might execute are not supported. */
async function detectFormat(path: string): Promise<Format | undefined> {
  const head = await firstBytes(path)
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'webp'
  if (text.startsWith('BM')) return 'bmp'
  return undefined
}

export async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function throwUploadError(error: unknown): never {
  const isLarge = error instanceof Error && /pixel limit/i.test(error.message)
  throw isLarge ? errors.uploads.imageTooLarge() : errors.uploads.notImage()
}
