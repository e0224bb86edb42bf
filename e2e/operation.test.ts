import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { commandLine } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** What an owner of a small server meets: starting, stopping, and machines that lack things. */

const main = resolve(import.meta.dirname, '../src/server/main.ts')
const open: RunningSite[] = []
afterEach(async () => {
  for (const site of open.splice(0)) await site.stop()
})

async function start(...given: Parameters<typeof startSite>): Promise<RunningSite> {
  const site = await startSite(...given)
  open.push(site)
  return site
}

test('the first start prints a password once; the second does not, and answers within five seconds', async () => {
  const site = await start()
  expect(site.output()).toMatch(/管理员账号 admin，密码 \S+/)
  site.process.kill('SIGTERM')
  await once(site.process, 'exit')
  const begun = Date.now()
  const second = await site.again()
  expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
  expect(Date.now() - begun).toBeLessThan(5000)
  expect(second.output()).not.toContain('密码')
  await second.stop()
})

test('SIGTERM lets a hundred requests under way finish, then ends with status 0 within ten seconds', async () => {
  const site = await start()
  const body = JSON.stringify({ username: 'admin', password: 'x', captcha: '1', captcha_id: '1' })
  const answers = Array.from({ length: 100 }, () => slowRequest(`${site.url}/api/v1/user/login`, body))
  await new Promise((done) => setTimeout(done, 300))
  const begun = Date.now()
  site.process.kill('SIGTERM')
  const [statuses, [code]] = await Promise.all([Promise.all(answers), once(site.process, 'exit')])
  expect(new Set(statuses)).toEqual(new Set([400]))
  expect(code).toBe(0)
  expect(Date.now() - begun).toBeLessThan(10_000)
})

test('a client that never finishes its request does not keep the server from stopping', async () => {
  const site = await start()
  const hanging = request(`${site.url}/api/v1/user/login`, { method: 'POST', headers: { 'content-length': 1000 } })
  hanging.on('error', () => {})
  hanging.write('{')
  await new Promise((done) => setTimeout(done, 200))
  const begun = Date.now()
  site.process.kill('SIGINT')
  const [code] = await once(site.process, 'exit')
  expect(code).toBe(0)
  expect(Date.now() - begun).toBeLessThan(10_000)
})

test('a change on the command line is seen by the running server within a second', async () => {
  const site = await start()
  expect(await commandLine(site, 'settings', 'get', 'system.sitename')).toBe('文豆\n')
  await commandLine(site, 'settings', 'set', 'system.sitename', '小城文库')
  await expect
    .poll(async () => (await (await fetch(site.url)).text()).includes('小城文库'), { timeout: 1000, interval: 50 })
    .toBe(true)
  expect(await commandLine(site, 'user', 'list')).toContain('admin')
  expect(await commandLine(site, '--help')).toContain('settings')
  await expect(commandLine(site, 'settings', 'set', 'system.nothing', '1')).rejects.toThrow('system.nothing')
})

test('the command line sets a password, and the old one and its tokens are dead', async () => {
  const site = await start('sqlite', { ADMIN_PASSWORD: 'first password' })
  await commandLine(site, 'settings', 'set', 'security.enable_captcha_login', 'false')
  await new Promise((done) => setTimeout(done, 300))
  const printed = await commandLine(site, 'user', 'password', 'admin')
  const password = /新密码：(\S+)/.exec(printed)?.[1] ?? ''
  expect(await login(site, 'first password')).toBe(400)
  expect(await login(site, password)).toBe(200)
})

test.each([
  ['a data folder that cannot be made', { DATA_DIR: '/etc/hostname/data' }, '数据目录 /etc/hostname/data 无法创建'],
  ['a port that is no port', { PORT: 'abc' }, 'PORT 必须是'],
  ['a role that does not exist', { ROLE: 'chef' }, 'ROLE 只能是'],
  ['a proxy that is no address', { TRUST_PROXY: 'nginx' }, 'TRUST_PROXY'],
  ['a database that does not answer', { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }, '连接不上数据库'],
])('%s is said in one sentence', async (_what, env, sentence) => {
  const { code, output } = await failToStart(env)
  expect(code).toBe(1)
  expect(output).toContain(`无法启动：`)
  expect(output).toContain(sentence)
  expect(output.trim().split('\n')).toHaveLength(1)
})

test('a port in use and a data folder that cannot be written are said in one sentence', async () => {
  const site = await start()
  const busy = await failToStart({ PORT: new URL(site.url).port })
  expect(busy.output).toContain('端口已被占用')
  const readOnly = mkdtempSync(join(tmpdir(), 'wendou-read-only-'))
  chmodSync(readOnly, 0o555)
  const refused = await failToStart({ DATA_DIR: readOnly }, nobody)
  expect(refused.output).toContain('无法启动：')
  expect(refused.output).toMatch(/权限|不能写入/)
  rmSync(readOnly, { recursive: true })
})

test('it runs without HOME, with little memory, and on IPv6', async () => {
  const site = await start('sqlite', { HOME: '', NODE_OPTIONS: '--max-old-space-size=200' })
  const { port } = new URL(site.url)
  for (let n = 0; n < 50; n++) expect((await fetch(`${site.url}/?n=${n}`)).status).toBe(200)
  expect((await fetch(`http://[::1]:${port}/readyz`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
})

test('a worker without a web part runs and stops', async () => {
  const site = await start()
  const worker = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      ROLE: 'worker',
      DATA_DIR: site.dataDir,
      DATABASE_URL: site.databaseUrl,
      LOG_LEVEL: 'silent',
    },
  })
  await new Promise((done) => setTimeout(done, 2500))
  worker.kill('SIGTERM')
  const [code] = await once(worker, 'exit')
  expect(code).toBe(0)
})

const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function failToStart(env: Record<string, string>, account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', NODE_COMPILE_CACHE: '', ...env },
    ...account,
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const [code] = (await once(child, 'exit')) as [number]
  return { code, output }
}

/** Sends half of a request now and the rest after a while. */
function slowRequest(url: string, body: string): Promise<number> {
  return new Promise((done, fail) => {
    const asked = request(
      url,
      { method: 'POST', headers: { 'content-length': Buffer.byteLength(body) }, agent: false },
      (response) => {
        response.resume()
        done(response.statusCode ?? 0)
      },
    )
    asked.on('error', fail)
    asked.write(body.slice(0, 10))
    setTimeout(() => asked.end(body.slice(10)), 1500)
  })
}

async function login(site: RunningSite, password: string): Promise<number> {
  const body = JSON.stringify({ username: 'admin', password })
  return (await fetch(`${site.url}/api/v1/user/login`, { method: 'POST', body })).status
}
