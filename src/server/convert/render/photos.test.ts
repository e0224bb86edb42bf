import sharp from 'sharp'
import { expect, test } from 'vitest'
import { markPhotos } from './photos.ts'
import { photoMark } from './svg/ground.ts'

const width = 320
const height = 240

/** A page with a JPEG or PNG picture whose pixels have the given colours. */
async function pageWith(type: 'jpeg' | 'png', colour: (x: number, y: number) => [number, number, number]) {
  const pixels = Buffer.from(
    Array.from({ length: width * height }, (_, at) => colour(at % width, Math.floor(at / width))).flat(),
  )
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  const bytes = await (type === 'jpeg' ? image.jpeg({ quality: 95 }) : image.png({ compressionLevel: 1 })).toBuffer()
  const href = `href="data:image/${type};base64,${bytes.toString('base64')}"`
  return { svg: Buffer.from(`<svg><image width="9" ${href}/><path d="M0 0"/></svg>`), href }
}

const noise = (x: number, y: number) => (x * 7919 + y * 104_729 + x * y * 31) % 61

test.each(['jpeg', 'png'] as const)('a photograph as %s is marked, a scan of a page is not', async (type) => {
  const photo = await pageWith(type, (x, y) => [120 + noise(x, y), 90 + (noise(y, x) % 40), 60])
  expect(markPhotos(photo.svg).toString()).toBe(
    photo.svg.toString().replace(` ${photo.href}`, `${photoMark} ${photo.href}`),
  )
  const scan = await pageWith(type, (x, y) => {
    const light = y % 12 < 4 && x % 7 < 4 ? 30 : 235 - (noise(x, y) % 12)
    return [light, light, light - 8]
  })
  expect(markPhotos(scan.svg).equals(scan.svg)).toBe(true)
})

test('what is no picture is left as it is', () => {
  const svg = Buffer.from(`<svg><image href="data:image/png;base64,${'A'.repeat(9000)}"/></svg>`)
  expect(markPhotos(svg).equals(svg)).toBe(true)
})
