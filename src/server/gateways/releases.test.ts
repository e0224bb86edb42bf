import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { latestRelease } from './releases.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function publisher(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const reply =
  (status: number, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

test('requests the latest release of the repository', async () => {
  const requests: string[] = []
  const origin = await publisher((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['user-agent']}`)
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
  expect(requests).toEqual(['GET /repos/someone/site.name/releases/latest wendou'])
})

test('accepts a release that has only a creation date', async () => {
  const origin = await publisher(reply(200, '{"tag_name":"1.0","created_at":"2026-10-01T16:00:00+08:00","body":null}'))
  expect(await latestRelease(origin, 'a/b')).toEqual({
    tag_name: '1.0',
    name: '',
    body: '',
    release_at: Date.UTC(2026, 9, 1, 8),
  })
})

test('follows a repository that was renamed, but not into a private network', async () => {
  const origin = await publisher((request, response) => {
    if (request.url?.startsWith('/repos/old/')) response.writeHead(301, { location: '/repositories/5' }).end()
    else if (request.url === '/repositories/5') response.end('{"tag_name":"2.0"}')
    else response.writeHead(301, { location: `http://localhost:${request.socket.localPort}/repositories/5` }).end()
  })
  expect(await latestRelease(origin, 'old/name')).toMatchObject({ tag_name: '2.0' })
  await expect(latestRelease(origin, 'stolen/name')).rejects.toThrow('连接不上发布网站')
})

test('gives undefined when nothing has been released', async () => {
  expect(await latestRelease(await publisher(reply(404, '{}')), 'a/b')).toBeUndefined()
})

test.each([
  [403, '{}', '查询过于频繁，请过一小时再试'],
  [500, 'oops', '发布网站回答 500'],
  [200, '<html>', '看不懂发布网站的回答'],
  [200, '{"message":"hello"}', '看不懂发布网站的回答'],
  [200, `{"tag_name":"1","body":"${'长'.repeat(400_000)}"}`, '回答过长'],
])('explains the unusable response %i', async (status, body, words) => {
  const origin = await publisher(reply(status, body))
  await expect(latestRelease(origin, 'a/b')).rejects.toThrow(words)
})

test('cuts long release notes', async () => {
  const origin = await publisher(reply(200, JSON.stringify({ tag_name: '1', body: 'a'.repeat(30_000) })))
  expect((await latestRelease(origin, 'a/b'))?.body).toHaveLength(20_000)
})

test('explains that the publisher cannot be reached', async () => {
  const origin = await publisher(reply(200, '{}'))
  await new Promise((closed) => server?.close(closed))
  await expect(latestRelease(origin, 'a/b')).rejects.toThrow('连接不上发布网站')
})
