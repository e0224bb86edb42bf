import type { SharpConstructor } from 'sharp'

export interface Pixels {
  width: number
  height: number
  /** Red, green and blue. */
  data: Uint8Array
}

/** Loaded on first use: many renderers never encode an image. */
let sharpLoading: Promise<SharpConstructor> | undefined

export async function encodeWebp({ width, height, data }: Pixels): Promise<Uint8Array> {
  sharpLoading ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  const sharp = await sharpLoading
  return sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ quality: 80, effort: 3 })
    .toBuffer()
}
