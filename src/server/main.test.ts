import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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
