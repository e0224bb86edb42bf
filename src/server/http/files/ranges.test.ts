import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { toContentDisposition, fileResponse, type ServedFile } from './ranges.ts'

const content = Buffer.from('0123456789')
const file: ServedFile = {
  size: content.length,
  type: 'text/plain',
  etag: 'abc',
  cache: 'private, no-cache',
  open: async (range) => Readable.from([range ? content.subarray(range.start, range.end + 1) : content]),
}

async function request(
  headers: Record<string, string> = {},
  init: RequestInit = {},
  overrides: Partial<ServedFile> = {},
) {
  const response = await fileResponse(new Request('http://localhost/', { headers, ...init }), { ...file, ...overrides })
  if (!response) return { status: undefined, text: '', headers: new Headers() }
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('a range', () => {
  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
  ])('%s', async (range, status, text, contentRange) => {
    const response = await request({ range })
    expect(response).toMatchObject({ status, text })
    expect(response.headers.get('content-range')).toBe(contentRange)
    if (status < 400) expect(response.headers.get('content-length')).toBe(String(text.length))
  })

  test('is sent only to a client that has the rest of the same content', async () => {
    expect(await request({ range: 'bytes=2-', 'if-range': '"abc"' })).toMatchObject({ status: 206 })
    expect(await request({ range: 'bytes=2-', 'if-range': '"old"' })).toMatchObject({ status: 200, text: '0123456789' })
    expect(await request({ range: 'bytes=2-', 'if-range': 'Sat, 01 Jan 2028 00:00:00 GMT' })).toMatchObject({
      status: 200,
    })
  })
})

test('a client that has the file gets 304', async () => {
  expect(await request({ 'if-none-match': '"x", W/"abc"' })).toMatchObject({ status: 304, text: '' })
  expect(await request({ 'if-none-match': '"x"' })).toMatchObject({ status: 200 })
})

test('HEAD gives the size without opening the file', async () => {
  const open = () => expect.fail('the file was opened')
  const { status, text, headers } = await request({}, { method: 'HEAD' }, { open })
  expect({ status, text, length: headers.get('content-length') }).toEqual({ status: 200, text: '', length: '10' })
})

test('a missing file gives no response', async () => {
  expect(await request({}, {}, { open: async () => undefined })).toMatchObject({ status: undefined })
})

test('cancelling the response closes the file', async () => {
  const body = new Readable({ read: () => {} })
  body.push('begun')
  const response = await fileResponse(new Request('http://localhost/'), { ...file, open: async () => body })
  const reader = response?.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await expect.poll(() => body.destroyed).toBe(true)
})

test('file names in any language are kept, and cannot inject headers', () => {
  const name = '报告(终)\'1\' "v2".docx\r\nx-evil: 1\ud800'
  const header = toContentDisposition(name)
  expect(header).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[A-Za-z0-9%._~-]+$/)
  const encoded = header.split("UTF-8''")[1] ?? ''
  expect(decodeURIComponent(encoded)).toBe(name.toWellFormed())
})
