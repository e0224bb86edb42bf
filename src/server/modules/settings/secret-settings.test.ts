import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { settings } from '#shared/contract/settings.ts'
import { catalogue } from '#shared/settings.ts'
import type { Field } from '#shared/setting-fields.ts'
import { type App, createApp } from '#server/app.ts'
import { settingsCommand } from '#server/cli/settings.ts'
import { type Config, readConfig } from '#server/config.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { openLog } from '#server/log.ts'
import { beginRotation } from '#server/secrets/secret-key.ts'
import { copyDatabase } from '#server/testing/databases/database.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { encryptStoredSecrets } from './secret-settings.ts'
import { configRows } from './settings.present.ts'
import { changeSettings } from './settings.store.ts'

const secretPaths = Object.entries(catalogue).flatMap(([category, { fields }]) =>
  Object.entries<Field>(fields).flatMap(([name, { secret }]) => (secret ? [`${category}.${name}`] : [])),
)
const plainText = '明文-hush-hush'

/** Removed after all tests: what an app creates in the background may come after its test. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('no secret is in the database, the audit log, the log, the queue or an answer as plain text', async () => {
  const lines: string[] = []
  const site = await openOwn({}, { log: openLog('debug', { write: (line) => void lines.push(line) }) })
  await site.configure(Object.fromEntries(secretPaths.map((path) => [path, plainText])))
  await site.configure({ 'email.password': `${plainText} 2`, 'email.host': 'smtp.example.com' })
  const { settings: current } = await site.app.context()
  expect(current.pay.wechat_private_key).toBe(plainText)
  expect(current.email.password).toBe(`${plainText} 2`)

  expect(secretPaths.length).toBeGreaterThan(10)
  expect(await findInDatabase(site.db, 'enc:v1:')).toEqual(['setting.value'])
  expect(await findInDatabase(site.db, 'hush-hush')).toEqual([])
  expect(lines.join('')).not.toContain('hush-hush')
  const { audit } = await site.root.call(audits.list, {})
  expect(JSON.stringify(audit)).toContain('******')
  for (const path of ['config/list', 'settings', 'audit/list'])
    expect((await site.send('GET', `/api/v1/${path}`, { token: site.root.token })).text).not.toContain('hush-hush')
})

test('the key is a file in the data folder that only its owner can read', async () => {
  const dataDir = dataFolder()
  const site = await openOwn({ DATA_DIR: dataDir })
  const key = readFileSync(join(dataDir, 'secret.key'), 'utf8')
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(await findInDatabase(site.db, key.trim())).toEqual([])
  await site.openSecondProcess()
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(key)
})

test('with SECRET_KEY another machine reads them, and no key file is created', async () => {
  const SECRET_KEY = 'k'.repeat(32)
  const [here, there] = [dataFolder(), dataFolder()]
  const { start } = await stoppedSite()
  const first = await start({ DATA_DIR: here, SECRET_KEY })
  await first.configure('email.password', plainText)
  const second = await start({ DATA_DIR: there, SECRET_KEY })
  expect((await second.read()).email.password).toBe(plainText)
  expect(() => statSync(join(here, 'secret.key'))).toThrow('ENOENT')
  expect(() => readConfig({ SECRET_KEY: 'too short' })).toThrow('SECRET_KEY 至少要有 32 个字符')
})

test('a site from before stores them encrypted after its first start, though two processes start at once', async () => {
  const { start, db } = await stoppedSite()
  await storePlain(db, 'email.password', plainText)
  await storePlain(db, 'pay.third_key', '')
  await storePlain(db, 'email.host', 'smtp.example.com')
  const dataDir = dataFolder()
  const started = await Promise.all([start({ DATA_DIR: dataDir }), start({ DATA_DIR: dataDir })])
  for (const { read } of started) expect((await read()).email.password).toBe(plainText)
  expect(await findInDatabase(db, 'hush-hush')).toEqual([])
  expect(await stored(db, 'email.password')).toMatch(/^enc:v1:/)
  expect(await stored(db, 'pay.third_key')).toBe('')
  expect(await stored(db, 'email.host')).toBe('smtp.example.com')
  const before = await stored(db, 'email.password')
  await start({ DATA_DIR: dataDir })
  expect(await stored(db, 'email.password')).toBe(before)
})

test.runIf(inject('database').engine === 'sqlite')(
  'nor does the database file keep what was plain before',
  async () => {
    const { start, db, url } = await stoppedSite()
    await storePlain(db, 'email.password', plainText)
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    expect(readFileSync(url).includes('hush-hush')).toBe(true)
    await start({ DATA_DIR: dataFolder() })
    expect(readFileSync(url).includes('hush-hush')).toBe(false)
    expect(readFileSync(`${url}-wal`).includes('hush-hush')).toBe(false)
  },
)

test('without its key the site starts, and says which settings to enter again and why', async () => {
  const dataDir = dataFolder()
  const { start } = await stoppedSite()
  const first = await start({ DATA_DIR: dataDir })
  await first.configure('email.password', plainText)
  await first.configure('email.host', 'smtp.example.com')
  rmSync(join(dataDir, 'secret.key'))

  const second = await start({ DATA_DIR: dataDir })
  const current = await second.read()
  expect(current.email).toMatchObject({ password: '', host: 'smtp.example.com' })
  await second.read()
  const warnings = second.lines.filter((line) => line.includes('"warn"'))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('邮件设置 · 密码：保存时用的是另一个密钥，无法解密。请重新填写')
  expect((await second.row('email.password')).problem).toContain('请重新填写；或把原来的 secret.key 复制到数据目录')
  expect((await second.row('email.host')).problem).toBe('')
  // As the form sends it back: what is stored may be decrypted again when the key is found.
  expect((await second.row('email.password')).value).toBe('******')
  await second.configure('email.password', 'entered again')
  expect((await second.read()).email.password).toBe('entered again')
  expect(await second.row('email.password')).toMatchObject({ value: '******', problem: '' })
})

test('a value that is moved to another setting, or altered, is not in force', async () => {
  const site = await openOwn()
  await site.configure({ 'pay.third_key': plainText, 'email.password': plainText })
  const moved = await stored(site.db, 'pay.third_key')
  const altered = await stored(site.db, 'pay.third_key')
  await store(site.db, 'email.password', moved)
  await store(site.db, 'pay.third_key', altered.slice(0, -4) + (altered.endsWith('AAAA') ? 'BBBB' : 'AAAA'))
  // Any other change makes all processes read them again.
  await site.configure({ 'system.sitename': '别处' })
  const { settings: current } = await site.app.context()
  expect([current.email.password, current.pay.third_key]).toEqual(['', ''])
  const { config } = await site.root.call(settings.list, { category: ['email', 'pay'] })
  expect(config.filter(({ problem }) => problem.includes('被改动过')).map(({ name }) => name)).toEqual([
    'password',
    'third_key',
  ])
})

test('the key is replaced by naming the new one before the old one, or SECRET_KEY in place of the file', async () => {
  const dataDir = dataFolder()
  const { start, db } = await stoppedSite()
  const first = await start({ DATA_DIR: dataDir })
  await first.configure('email.password', plainText)
  const [old, fresh] = ['o'.repeat(40), 'f'.repeat(40)]
  expect((await (await start({ DATA_DIR: dataDir, SECRET_KEY: old })).read()).email.password).toBe(plainText)
  rmSync(join(dataDir, 'secret.key'))
  const between = await stored(db, 'email.password')
  await start({ DATA_DIR: dataDir, SECRET_KEY: `${fresh},${old}` })
  expect(await stored(db, 'email.password')).not.toBe(between)
  expect((await (await start({ DATA_DIR: dataDir, SECRET_KEY: fresh })).read()).email.password).toBe(plainText)
  expect((await (await start({ DATA_DIR: dataDir, SECRET_KEY: old })).read()).email.password).toBe('')
})

test('the command rekey replaces the key file, and a running process goes on', async () => {
  const dataDir = dataFolder()
  const { start, db } = await stoppedSite()
  const running = await start({ DATA_DIR: dataDir })
  await running.configure('email.password', plainText)
  const [key, before] = [readFileSync(join(dataDir, 'secret.key'), 'utf8'), await stored(db, 'email.password')]
  const said = await rekey(await start({ DATA_DIR: dataDir }))
  expect(said).toContain('重新加密了 1 项设置')
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).not.toBe(key)
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('secret'))).toEqual(['secret.key'])
  expect(await stored(db, 'email.password')).not.toBe(before)
  await running.configure('pay.third_key', 'new')
  expect((await running.read()).email.password).toBe(plainText)
  const { email, pay } = await (await start({ DATA_DIR: dataDir })).read()
  expect([email.password, pay.third_key]).toEqual([plainText, 'new'])
})

test('a replacement of the key that was interrupted loses nothing, and is completed by the next', async () => {
  const dataDir = dataFolder()
  const { start } = await stoppedSite()
  const first = await start({ DATA_DIR: dataDir })
  await first.configure('email.password', plainText)
  beginRotation(dataDir)
  const key = readFileSync(join(dataDir, 'secret.key'), 'utf8')
  const second = await start({ DATA_DIR: dataDir })
  expect((await second.read()).email.password).toBe(plainText)
  await rekey(second)
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(key)
  expect((await (await start({ DATA_DIR: dataDir })).read()).email.password).toBe(plainText)
  await expect(rekey(await start({ DATA_DIR: dataDir, SECRET_KEY: 'k'.repeat(32) }))).rejects.toThrow('新的,旧的')
})

test('a change that comes between is not overwritten by the encryption of what was there before', async () => {
  const site = await openOwn()
  const { cipher } = await site.app.context()
  await store(site.db, 'email.password', plainText)
  const late: typeof cipher = {
    ...cipher,
    encrypt: (name) => cipher.encrypt(name, 'of the first process'),
  }
  await encryptStoredSecrets(site.db, late)
  await encryptStoredSecrets(site.db, cipher)
  await site.configure({ 'system.sitename': '别处' })
  expect((await site.app.context()).settings.email.password).toBe('of the first process')
})

test('a key file that is cut short is not replaced', async () => {
  const dataDir = dataFolder()
  const { start } = await stoppedSite()
  writeFileSync(join(dataDir, 'secret.key'), 'short')
  await expect(start({ DATA_DIR: dataDir })).rejects.toThrow('secret.key 不完整')
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('short')
})

function dataFolder(): string {
  return mkdtempSync(join(folder, 'data-'))
}

async function openOwn(...options: Parameters<typeof openSite>): Promise<Site> {
  const site = await openSite(...options)
  onTestFinished(() => site.close())
  return site
}

/** The database of a site that is started several times, in different environments. */
async function stoppedSite() {
  const copy = await copyDatabase()
  const database = openDatabase(copy.url, { durable: false })
  const closing: (() => Promise<void>)[] = [() => copy.remove(), () => database.db.destroy()]
  onTestFinished(async () => {
    for (const close of closing.toReversed()) await close()
  })
  const start = async (environment: Record<string, string>) => {
    const lines: string[] = []
    const log = openLog('info', { write: (line) => void lines.push(line) })
    const own = openDatabase(copy.url, { durable: false })
    closing.push(() => own.db.destroy())
    const config = readConfig(environment)
    const app = await createApp({ config, database: own, log })
    closing.push(() => app.close())
    return {
      app,
      config,
      lines,
      read: async () => (await app.context()).settings,
      async configure(path: string, value: string) {
        const [category = '', name = ''] = path.split('.')
        await changeSettings(await app.context(), [{ category, name, value }])
      },
      async row(path: string) {
        const rows = await configRows(await app.context(), ['email'])
        return rows.find(({ category, name }) => `${category}.${name}` === path) ?? expect.fail(path)
      },
    }
  }
  return { start, db: database.db, url: copy.url }
}

/** What the command says. */
async function rekey({ app, config }: { app: App; config: Config }): Promise<string> {
  const say = vi.spyOn(console, 'log').mockReturnValue(undefined)
  try {
    await settingsCommand.run(await app.context(), ['rekey'], app, config)
    return say.mock.calls.flat().join('\n')
  } finally {
    say.mockRestore()
  }
}

async function storePlain(db: Db, path: string, value: string): Promise<void> {
  const [category = '', name = ''] = path.split('.')
  await db.insertInto('setting').values({ category, name, value, updated_at: 0 }).execute()
}

async function store(db: Db, path: string, value: string): Promise<void> {
  const [category = '', name = ''] = path.split('.')
  await db.deleteFrom('setting').where('category', '=', category).where('name', '=', name).execute()
  await storePlain(db, path, value)
}

async function stored(db: Db, path: string): Promise<string> {
  const [category = '', name = ''] = path.split('.')
  const row = db.selectFrom('setting').select('value').where('category', '=', category).where('name', '=', name)
  return (await row.executeTakeFirstOrThrow()).value
}

/** The columns that contain a text, of all columns of all tables. */
async function findInDatabase(db: Db, text: string): Promise<string[]> {
  const tables = await db.introspection.getTables()
  expect(tables.length).toBeGreaterThan(50)
  const found: string[] = []
  for (const { name, schema, columns } of tables) {
    const table = sql.table(schema ? `${schema}.${name}` : name)
    for (const column of columns) {
      const matches = sql`select 1 from ${table} where cast(${sql.ref(column.name)} as text) like ${`%${text}%`} limit 1`
      if ((await matches.execute(db)).rows.length > 0) found.push(`${name}.${column.name}`)
    }
  }
  return found
}
