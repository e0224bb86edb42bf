import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readPictureHeader } from './picture-header.ts'

const paint = (format: 'png' | 'jpeg' | 'gif' | 'webp', options: object = {}, size = [321, 200]) => {
  const [width = 1, height = 1] = size
  const picture = sharp({ create: { width, height, channels: 4, background: { r: 9, g: 99, b: 9, alpha: 0.5 } } })
  return picture.toFormat(format, options).toBuffer()
}

test.each([
  ['png', {}],
  ['gif', {}],
  ['jpeg', {}],
  ['jpeg', { progressive: true }],
  ['webp', {}],
  ['webp', { lossless: true }],
] as const)('%s %o: kind and size', async (format, options) => {
  const header = { type: `image/${format}`, width: 321, height: 200 }
  expect(readPictureHeader(await paint(format, options))).toEqual(header)
})

test('what is no picture, is cut off, or is too small or too large, is none', async () => {
  const png = await paint('png')
  const vast = Buffer.from(png)
  vast.writeUInt32BE(0x7fffffff, 16)
  const jpeg = await paint('jpeg')
  const hostile = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), Buffer.alloc(64)])
  const small = await paint('png', {}, [8, 400])
  for (const bytes of [png.subarray(0, 20), vast, jpeg.subarray(0, 12), hostile, small, Buffer.alloc(0)])
    expect(readPictureHeader(bytes)).toBeUndefined()
  expect(
    readPictureHeader(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>')),
  ).toBeUndefined()
})
