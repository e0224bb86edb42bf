import { expect, test, vi } from 'vitest'
import { readerOfBuffer } from '../../archives/bytes.ts'
import { createPictures, readPlainPicture } from './book-pictures.ts'

const file = { at: 0, length: 9, isDeflated: false, size: 9 }
const image = (src: string) => ({ kind: 'image' as const, src, alt: '' })
const picture = { header: { type: 'image/png' as const, width: 40, height: 40 }, file }

test('an ornament that stands everywhere leaves room for the pictures after it', async () => {
  const find = vi.fn(async () => picture)
  const blocks = [...Array.from({ length: 6000 }, () => image('ornament.png')), image('last.png')]
  expect(await createPictures(find)(blocks)).toHaveLength(6001)
  expect(find.mock.calls).toEqual([['ornament.png'], ['last.png']])
})

test('pictures that are not there are not looked for without end', async () => {
  const find = vi.fn(async () => undefined)
  const withPictures = createPictures(find)
  for (const part of [0, 1, 2])
    expect(await withPictures(Array.from({ length: 3000 }, (_, index) => image(`${part}-${index}.png`)))).toEqual([])
  expect(find.mock.calls.length).toBe(5000)
})

test('of a picture in a record no more is read than is needed, and in all no more than allowed', async () => {
  const png = Buffer.alloc(1_000_000)
  png.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  png.writeUInt32BE(320, 16)
  png.writeUInt32BE(200, 20)
  const budget = { bytesLeft: 100_000 }
  const read = () => readPlainPicture(readerOfBuffer(png), { at: 0, length: png.length }, budget)
  expect(await read()).toMatchObject({ header: { width: 320, height: 200 }, file: { size: png.length } })
  expect(budget.bytesLeft).toBeGreaterThan(0)
  expect(await read()).toBeUndefined()
})
