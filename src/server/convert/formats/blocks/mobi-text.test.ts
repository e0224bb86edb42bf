import { expect, test } from 'vitest'
import { makeMobi } from '#server/samples/books.ts'
import { readerOfBuffer } from '../../archives/bytes.ts'
import { readMobiText } from './mobi-text.ts'

const read = (file: Uint8Array, bytesLeft = 1e6) => readMobiText(readerOfBuffer(Buffer.from(file)), { bytesLeft })

test('the text of a book goes on from record to record', async () => {
  const html = `<p>${'山谷里的春天。'.repeat(900)}</p>`
  expect(await read(makeMobi({ html }))).toHaveProperty('html', html)
})

test('compressed text: letters, a blank before a letter, runs of bytes, and copies', async () => {
  const packed = Buffer.from([0x3c, 0x70, 0x3e, 0x61, 0xe2, 0xe3, 3, 0xe5, 0xb1, 0xb1, 0x80, 0x25])
  const { html } = await read(makeMobi({ html: 'x', pack: () => packed }))
  expect(html).toBe('<p>a b c山c山c山')
})

test('what programs write after the text of a record is left out', async () => {
  const trailer = Buffer.from([9, 9, 0x83])
  expect(await read(makeMobi({ html: '<p>山谷</p>', trailer }))).toHaveProperty('html', '<p>山谷</p>')
})

test.each([
  ['an empty file', Buffer.alloc(0)],
  ['half a header', Buffer.from(makeMobi()).subarray(0, 90)],
])('%s is refused', async (_, file) => {
  await expect(read(file)).rejects.toMatchObject({ reason: 'damaged' })
})

test('a file that ends early gives the text that it has', async () => {
  const file = Buffer.from(makeMobi({ html: `<p>${'山'.repeat(4000)}</p>` }))
  expect((await read(file.subarray(0, file.length - 3000))).html).toContain('山山')
})

test('copies from before the start, and more text than allowed, do no harm', async () => {
  const hostile = Buffer.from([0x61, 0x8f, 0xff, 0x80, 0x0f, 0x62])
  await expect(read(makeMobi({ html: 'x', pack: () => hostile }))).resolves.toBeDefined()
  await expect(read(makeMobi(), 100)).rejects.toMatchObject({ reason: 'tooLarge' })
})
