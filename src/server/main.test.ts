import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from './db/open.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-main-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A worker needs no built pages. */
async function run(script: string, words: string[], { stdin = '', env = {} }: { stdin?: string; env?: object }) {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, script), ...words], {
    env: { ...process.env, DATA_DIR: folder, ROLE: 'worker', LOG_LEVEL: 'silent', ...env },
  })
  child.stdin.end(stdin)
  const exit = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await exit
  return { code: child.exitCode, output: stdout + stderr }
}

test.each(['1234567', 'password123', 'admin'])(
  'no site starts with the administrator’s password %s',
  async (password) => {
    const { code, output } = await run('main.ts', [], { env: { ADMIN_PASSWORD: password } })
    expect(code).toBe(1)
    expect(output).toMatch(/^无法启动：ADMIN_PASSWORD 不能用：[^\n]*密码[^\n]*\n$/)
  },
)

test.each<[string, Record<string, string>, RegExp]>([
  ['a STORAGE_URL without a bucket', { STORAGE_URL: 's3://key:secret@localhost/' }, /STORAGE_URL 缺少桶的名称/],
  ['a STORAGE_URL of another kind', { STORAGE_URL: 'ftp://localhost/files' }, /STORAGE_URL 应留空/],
  ['an unknown time zone', { TZ: 'Asia/Beijing' }, /TZ 不能是 Asia\/Beijing/],
])('%s is one sentence, and nothing is created', async (_what, env, sentence) => {
  const data = join(folder, 'untouched')
  const { code, output } = await run('main.ts', [], { env: { DATA_DIR: data, ...env } })
  expect(output).toMatch(new RegExp(`^无法启动：[^\n]*${sentence.source}[^\n]*\n$`))
  expect(code).toBe(1)
  expect(existsSync(data)).toBe(false)
})

test('other users of the machine cannot open the data folder; one that was open is closed with a word', async () => {
  const data = join(folder, 'open')
  const start = () => run('main.ts', [], { env: { DATA_DIR: data, ADMIN_PASSWORD: 'password123' } })
  const openToOthers = (path: string) => (statSync(path).mode & 0o077) !== 0
  expect((await start()).output).not.toContain('数据目录')
  expect([data, ...readdirSync(data).map((name) => join(data, name))].filter(openToOthers)).toEqual([])
  chmodSync(data, 0o755)
  expect((await start()).output).toContain(
    `数据目录 ${data} 原来对本机的其他用户开放，已改为只有运行网站的用户可以打开`,
  )
  expect(openToOthers(data)).toBe(false)
})

test('a port that another program has is named before anything is created', async () => {
  const other = createServer().listen(0)
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const data = join(folder, 'elsewhere')
  const { code, output } = await run('main.ts', [], { env: { ROLE: 'web', PORT: port, DATA_DIR: data } })
  other.close()
  expect(output).toBe(`无法启动：端口 ${port} 已被占用，请停掉占用它的程序，或用 PORT 换一个端口\n`)
  expect(code).toBe(1)
  expect(existsSync(data)).toBe(false)
})

test('the command line refuses a common password as well', async () => {
  const database = openDatabase(join(folder, 'wendou.db'))
  const person = { username: 'forgetful', username_key: 'forgetful', password: '' }
  await database.db
    .insertInto('user')
    .values({ ...person, login_at: null, created_at: 0, updated_at: 0 })
    .execute()
  await database.db.destroy()
  const reset = (stdin: string) => run('cli/main.ts', ['user', 'password', 'forgetful'], { stdin })
  for (const refused of ['1234567', 'qwerty123', 'forgetful'])
    expect(await reset(refused)).toMatchObject({ code: 1, output: expect.stringContaining('密码') })
  expect(await reset('a much better one')).toMatchObject({ code: 0, output: '已重设 forgetful 的密码\n' })
})

test('the command line names the cause in Chinese', async () => {
  const causes: [string[], Record<string, string>, RegExp][] = [
    [['user', 'list', '--all'], {}, /^选项 --all 不正确/],
    [['nothing'], {}, /没有 nothing 命令/],
    [['user', 'list'], { DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL 以 mysql:.*SQLite.*PostgreSQL/],
    [['user', 'list'], { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }, /^连接不上数据库，请检查 DATABASE_URL/],
    [['user', 'list'], { DATABASE_URL: import.meta.filename }, /^数据库文件已损坏或不是 SQLite 文件/],
    [['user', 'list'], { DATA_DIR: join(folder, 'none') }, /^没有找到数据库 /],
  ]
  for (const [words, env, sentence] of causes) {
    const { code, output } = await run('cli/main.ts', words, { env })
    expect([code, output.split('\n').find((line) => sentence.test(line))], output).toEqual([1, expect.any(String)])
    expect(output).not.toMatch(/^ +at /m)
  }
})

test('the help of the command line lists every command and every variable', async () => {
  const { output } = await run('cli/main.ts', ['--help'], {})
  for (const name of ['user', 'settings', 'demo', 'backup', 'DATA_DIR', 'TRUST_PROXY', 'WENDOU_SKIP_TOOLS', 'TZ'])
    expect(output).toContain(`  ${name} `)
})
