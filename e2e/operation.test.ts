import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { runCli } from './owner.ts'
import { startSiteForTest } from './running-site.ts'

/** Starting and stopping. */

test('the first start prints a password once; the second does not', async () => {
  const site = await startSiteForTest()
  expect(site.output()).toMatch(/管理员账号 admin，密码 \S+/)
  site.process.kill('SIGTERM')
  await once(site.process, 'exit')
  const second = await site.startSecond()
  expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
  expect(second.output()).not.toContain('密码')
  await second.stop()
})

test('SIGTERM lets a hundred requests under way finish, then ends with status 0', async () => {
  const site = await startSiteForTest()
  const body = JSON.stringify({ username: 'admin', password: 'x', captcha: '1', captcha_id: '1' })
  const requests = Array.from({ length: 100 }, () => slowRequest(`${site.url}/api/v1/user/login`, body))
  await Promise.all(requests.map(({ arrived }) => arrived))
  site.process.kill('SIGTERM')
  const isClosed = () =>
    fetch(`${site.url}/healthz`).then(
      () => false,
      () => true,
    )
  await expect.poll(isClosed).toBe(true)
  const answers = requests.map(({ finish }) => finish())
  const [statuses, [code]] = await Promise.all([Promise.all(answers), once(site.process, 'exit')])
  expect(new Set(statuses)).toEqual(new Set([400]))
  expect(code).toBe(0)
})

test('a client that never finishes its request does not keep the server from stopping', async () => {
  const site = await startSiteForTest()
  const hanging = request(`${site.url}/api/v1/user/login`, { method: 'POST', headers: { 'content-length': 1000 } })
  hanging.on('error', () => {})
  hanging.write('{')
  await new Promise((done) => setTimeout(done, 200))
  site.process.kill('SIGINT')
  const [code] = await once(site.process, 'exit')
  expect(code).toBe(0)
})

test('a change on the command line is seen by the running server', async () => {
  const site = await startSiteForTest()
  expect(await runCli(site, 'settings', 'get', 'system.sitename')).toBe('文豆\n')
  await runCli(site, 'settings', 'set', 'system.sitename', '小城文库')
  await expect.poll(async () => (await (await fetch(site.url)).text()).includes('小城文库')).toBe(true)
  expect(await runCli(site, 'user', 'list')).toContain('admin')
  expect(await runCli(site, '--help')).toContain('settings')
  await expect(runCli(site, 'settings', 'set', 'system.nothing', '1')).rejects.toThrow('system.nothing')
})

/** Sends half of a request now, and the rest when asked to. */
function slowRequest(url: string, body: string): { arrived: Promise<unknown>; finish: () => Promise<number> } {
  // The server says 100 when it has the head.
  const headers = { 'content-length': Buffer.byteLength(body), expect: '100-continue' }
  const asked = request(url, { method: 'POST', headers, agent: false })
  const arrived = once(asked, 'continue')
  asked.write(body.slice(0, 10))
  return {
    arrived,
    async finish() {
      const answered = once(asked, 'response')
      asked.end(body.slice(10))
      const [response] = (await answered) as [IncomingMessage]
      response.resume()
      return response.statusCode ?? 0
    },
  }
}
