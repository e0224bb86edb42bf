import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { latestRelease } from './releases.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function publisher(answer: RequestListener): Promise<string> {
  server = createServer(answer)
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const saying =
  (status: number, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

test('the latest release is asked for by the repository’s name', async () => {
  const asked: string[] = []
  const origin = await publisher((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['user-agent']}`)
    const release = {
      tag_name: 'v1.2.0',
      name: '一点二',
      body: '## 新\n<b>粗</b>',
      published_at: '2026-11-01T08:00:00Z',
    }
    response.end(JSON.stringify({ ...release, created_at: '2026-10-01T08:00:00Z', assets: [] }))
  })
  expect(await latestRelease(origin, 'someone/site.name')).toEqual({
    tag_name: 'v1.2.0',
    name: '一点二',
    body: '## 新\n<b>粗</b>',
    release_at: Date.UTC(2026, 10, 1, 8),
  })
  expect(asked).toEqual(['GET /repos/someone/site.name/releases/latest wendou'])
})

test('who says only when it was made is understood as well', async () => {
  const origin = await publisher(saying(200, '{"tag_name":"1.0","created_at":"2026-10-01T16:00:00+08:00","body":null}'))
  expect(await latestRelease(origin, 'a/b')).toEqual({
    tag_name: '1.0',
    name: '',
    body: '',
    release_at: Date.UTC(2026, 9, 1, 8),
  })
})

test('nothing released yet is no fault', async () => {
  expect(await latestRelease(await publisher(saying(404, '{}')), 'a/b')).toBeUndefined()
})

test.each([
  [403, '{}', '查询过于频繁，请过一小时再试'],
  [500, 'oops', '发布网站回答 500'],
  [200, '<html>', '看不懂发布网站的回答'],
  [200, '{"message":"hello"}', '看不懂发布网站的回答'],
  [200, `{"tag_name":"1","body":"${'长'.repeat(400_000)}"}`, '回答过长'],
])('an answer %i of no use is told in words', async (status, body, words) => {
  const origin = await publisher(saying(status, body))
  await expect(latestRelease(origin, 'a/b')).rejects.toThrow(words)
})

test('long notes are cut', async () => {
  const origin = await publisher(saying(200, JSON.stringify({ tag_name: '1', body: 'a'.repeat(30_000) })))
  expect((await latestRelease(origin, 'a/b'))?.body).toHaveLength(20_000)
})

test('nobody there is told in words', async () => {
  const origin = await publisher(saying(200, '{}'))
  await new Promise((closed) => server?.close(closed))
  await expect(latestRelease(origin, 'a/b')).rejects.toThrow('连接不上发布网站')
})
