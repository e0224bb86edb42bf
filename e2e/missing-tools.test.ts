import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { createUploadClient } from './upload-client.ts'
import { runCli } from './owner.ts'
import { statusFor } from './person.ts'
import { type RunningSite, startSiteForTest } from './running-site.ts'

/** Machines that lack something, and administration from the command line. */

const main = resolve(import.meta.dirname, '../src/server/main.ts')

test('the command line sets a password, and the old one and its tokens are dead', async () => {
  const site = await startSiteForTest('sqlite', { ADMIN_PASSWORD: 'first password' })
  await runCli(site, 'settings', 'set', 'security.enable_captcha_login', 'false')
  const visitor = client({ fetch, origin: site.url })
  await expect.poll(async () => (await visitor(contract.settings.get)).security.enable_captcha_login).toBe(false)
  const { token } = await createUploadClient(site.url, { username: 'admin', password: 'first password' })
  expect(await statusFor(site, token)).toBe(200)
  const printed = await runCli(site, 'user', 'password', 'admin')
  const password = /新密码：(\S+)/.exec(printed)?.[1] ?? ''
  expect(await statusFor(site, token)).toBe(401)
  expect(await login(site, 'first password')).toBe(400)
  expect(await login(site, password)).toBe(200)
})

test.each([
  ['a data folder that cannot be made', { DATA_DIR: '/etc/hostname/data' }, '数据目录 /etc/hostname/data 无法创建'],
  ['a port that is no port', { PORT: 'abc' }, 'PORT 必须是'],
  ['a role that does not exist', { ROLE: 'chef' }, 'ROLE 只能是'],
  ['a proxy that is no address', { TRUST_PROXY: 'nginx' }, 'TRUST_PROXY'],
  ['a database of another kind', { DATABASE_URL: 'mysql://a:b@127.0.0.1/x' }, 'DATABASE_URL 以 mysql:// 开头'],
  ['a database that does not answer', { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }, '连接不上数据库'],
])('%s is said in one sentence', async (_what, env, sentence) => {
  const { code, output } = await startAndFail(env)
  expect(code).toBe(1)
  expect(output).toContain(`无法启动：`)
  expect(output).toContain(sentence)
  expect(output.trim().split('\n')).toHaveLength(1)
})

test('a port in use and a data folder that cannot be written are said in one sentence', async () => {
  const site = await startSiteForTest()
  const busy = await startAndFail({ PORT: new URL(site.url).port })
  expect(busy.output).toContain('已被占用')
  const readOnly = mkdtempSync(join(tmpdir(), 'wendou-read-only-'))
  chmodSync(readOnly, 0o555)
  const refused = await startAndFail({ DATA_DIR: readOnly }, nobody)
  expect(refused.output).toContain('无法启动：')
  expect(refused.output).toMatch(/权限|不能写入/)
  rmSync(readOnly, { recursive: true })
})

test('it runs without HOME, with little memory, and on IPv6', async () => {
  const site = await startSiteForTest('sqlite', { HOME: '', NODE_OPTIONS: '--max-old-space-size=200' })
  const { port } = new URL(site.url)
  for (let n = 0; n < 50; n++) expect((await fetch(`${site.url}/?n=${n}`)).status).toBe(200)
  expect((await fetch(`http://[::1]:${port}/readyz`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
})

test('a worker without a web part runs, says so, and stops', async () => {
  const site = await startSiteForTest('sqlite', { ROLE: 'web' })
  const heardOf = () => site.db.selectFrom('worker').select('pid').execute()
  expect(await heardOf()).toEqual([])
  const worker = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      ROLE: 'worker',
      DATA_DIR: site.dataDir,
      DATABASE_URL: site.databaseUrl,
      LOG_LEVEL: 'silent',
    },
  })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const planned = () => site.db.selectFrom('revision').select('name').where('name', 'like', 'schedule:%').execute()
  await expect.poll(planned).not.toEqual([])
  await expect.poll(heardOf).toEqual([{ pid: worker.pid }])
  worker.kill('SIGTERM')
  const [code] = await once(worker, 'close')
  expect(code).toBe(0)
  expect(await heardOf()).toEqual([])
})

const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function startAndFail(env: Record<string, string>, account: { uid?: number; gid?: number } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'wendou-missing-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', NODE_COMPILE_CACHE: '', ...env },
    ...account,
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

async function login(site: RunningSite, password: string): Promise<number> {
  const body = JSON.stringify({ username: 'admin', password })
  return (await fetch(`${site.url}/api/v1/user/login`, { method: 'POST', body })).status
}
