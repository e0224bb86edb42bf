import type { SharpConstructor } from 'sharp'

export interface Pixels {
  width: number
  height: number
  /** Red, green and blue. */
  data: Uint8Array
}

/** Loaded when the first picture is asked for: many renderers never take one. */
let encoder: Promise<SharpConstructor> | undefined

export async function webp({ width, height, data }: Pixels): Promise<Uint8Array> {
  encoder ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  const sharp = await encoder
  return sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ quality: 80, effort: 3 })
    .toBuffer()
}
