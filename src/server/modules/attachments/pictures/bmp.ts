import { readFile } from 'node:fs/promises'
import { errors } from '#shared/errors.ts'

export interface Pixels {
  /** Red, green, blue, alpha; the top row first. */
  pixels: Uint8Array
  width: number
  height: number
}

/** Uncompressed BMP with 24 or 32 bits per pixel, the variants in use. */
export async function decodeBmp(path: string, maxPixels: number): Promise<Pixels> {
  const file = await readFile(path)
  if (file.length < 54) throw errors.uploads.notImage()
  const start = file.readUInt32LE(10)
  const width = file.readInt32LE(18)
  const signed = file.readInt32LE(22)
  const depth = file.readUInt16LE(28) / 8
  const compression = file.readUInt32LE(30)
  const height = Math.abs(signed)
  if (width <= 0 || height === 0 || (depth !== 3 && depth !== 4)) throw errors.uploads.notImage()
  if (compression !== 0 && !(compression === 3 && depth === 4)) throw errors.uploads.notImage()
  if (width * height > maxPixels) throw errors.uploads.imageTooLarge()

  // Rows are padded to a multiple of four bytes.
  const stride = Math.ceil((width * depth) / 4) * 4
  if (start + stride * height > file.length) throw errors.uploads.notImage()
  const pixels = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    const row = start + (signed > 0 ? height - 1 - y : y) * stride
    for (let x = 0; x < width; x += 1) {
      const from = row + x * depth
      const to = (y * width + x) * 4
      pixels[to] = file[from + 2] ?? 0
      pixels[to + 1] = file[from + 1] ?? 0
      pixels[to + 2] = file[from] ?? 0
      pixels[to + 3] = 255
    }
  }
  return { pixels, width, height }
}
