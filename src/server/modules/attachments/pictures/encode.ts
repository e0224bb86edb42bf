import { open } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { errors } from '#shared/errors.ts'
import { decodeBmp } from './bmp.ts'

export interface Picture {
  bytes: Uint8Array
  ext: string
  width: number
  height: number
}

interface Wanted {
  /** The longest side, in pixels; larger pictures are made smaller. */
  side: number
  /** Whatever came in. */
  as?: 'webp'
}

const mostPixels = 40_000_000

/**
 * Draws a stranger's picture anew: what comes out holds pixels and nothing else. What is no picture, or would take too much
 * memory to draw, is refused. One at a time, for the same reason.
 */
export function encodePicture(path: string, wanted: Wanted): Promise<Picture> {
  const drawn = turn.then(() => encode(path, wanted))
  turn = drawn.catch(() => {})
  return drawn
}

let turn: Promise<unknown> = Promise.resolve()

type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'bmp'

async function encode(path: string, { side, as }: Wanted): Promise<Picture> {
  const format = await formatOf(path)
  if (!format) throw errors.uploads.notImage()
  const source = await openSource(path, format)
  const { pages = 1, pageHeight, width, height } = await source.metadata().catch(refuse)
  if (width * (pageHeight ?? height) * pages > mostPixels) throw errors.uploads.imageTooLarge()

  const shaped = source.autoOrient().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  const output = as ?? outputs[format]
  const { data, info } = await shaped
    .toFormat(output, { quality: 85, effort: output === 'webp' ? 3 : undefined })
    .toBuffer({ resolveWithObject: true })
    .catch(refuse)
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
    return sharp(path, { limitInputPixels: mostPixels, animated: format === 'gif' || format === 'webp' })
  const { pixels, width, height } = await decodeBmp(path, mostPixels)
  return sharp(pixels, { raw: { width, height, channels: 4 } })
}

/** By the bytes it begins with: SVG, HTML and whatever else a browser might run is not among them. */
async function formatOf(path: string): Promise<Format | undefined> {
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

function refuse(error: unknown): never {
  const isLarge = error instanceof Error && /pixel limit/i.test(error.message)
  throw isLarge ? errors.uploads.imageTooLarge() : errors.uploads.notImage()
}
