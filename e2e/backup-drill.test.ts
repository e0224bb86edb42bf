import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { contract } from '#shared/contract/contract.ts'
import type { Manifest } from '#server/backup/format.ts'
import { makeBackup } from '#server/backup/make.ts'
import { openBackup } from '#server/backup/read.ts'
import { openDatabase } from '#server/db/open.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { copyDatabase } from '#server/testing/databases/database.ts'
import { createUploadClient } from './upload-client.ts'
import { allowContributions, type Member, createMember, signInAsRoot, publishAndWait } from './site-setup.ts'
import { configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** A backup drill: a site is backed up while it is in use, and restored on another machine. */

const password = 'first password'
const cli = resolve(import.meta.dirname, '../src/server/cli/main.ts')
let site: RunningSite
let author: Member
let folder: string
let path: string
let manifest: Manifest
let uuid: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-drill-'))
  path = join(folder, 'site.tar')
  site = await startSite('sqlite', { ADMIN_PASSWORD: password })
  const root = await signInAsRoot(site, password)
  await configure(site, { 'security.comment_interval': '0', 'security.enable_captcha_comment': 'false' })
  await allowContributions(root, { reviewed: false })
  author = await createMember(site, root, 'author')
  ;({ uuid } = await publishAndWait(site, author, { name: '演习手册.pdf', bytes: makePdf({ title: '演习手册' }) }))
  const done = await underLoad(root, async () => {
    expect((await run({ DATA_DIR: site.dataDir }, 'backup', path)).output).toContain('备份完成')
  })
  expect(done).toBeGreaterThan(5)
  const backup = await openBackup(path)
  ;({ manifest } = backup)
  await backup.close()
})
afterAll(async () => {
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the backup is complete, though the site stayed in use', () => {
  expect(manifest).toMatchObject({ engine: 'sqlite', missing: [], altered: [] })
  expect(manifest.files.count).toBeGreaterThan(2)
  expect(readdirSync(folder)).toEqual(['site.tar'])
})

test.each(['sqlite', 'postgres'] as const)('an empty machine with %s gets the same site from it', async (engine) => {
  const env = await emptyMachine(engine)
  const restored = await run(env, 'restore', path)
  expect(restored, restored.output).toMatchObject({ code: 0 })
  expect(restored.output).toContain('恢复完成')
  // Before the site is used: rows and files as the manifest lists them.
  const { tables, files } = await backUpManifest(env)
  expect(files).toEqual(manifest.files)
  // A file whose row was written and whose bytes had not arrived yet is left out.
  const arrived = (manifest.tables.stored_file?.rows ?? 0) - manifest.purged.length
  expect(tables.stored_file?.rows).toBe(arrived)
  expect({ ...tables, stored_file: undefined }).toEqual({ ...manifest.tables, stored_file: undefined })
  const checked = await run(env, 'check')
  expect(checked, checked.output).toMatchObject({ code: 0 })

  const there = await startSite('sqlite', env)
  onTestFinished(() => there.stop())
  const { call } = await createUploadClient(there.url, author)
  expect(await call(contract.users.get, {})).toMatchObject({ username: 'author' })
  const page = await (await fetch(`${there.url}/document/${uuid}`)).text()
  expect(page).toContain('演习手册')
  const refused = await run(env, 'restore', path)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.output).toContain('目标不是空的')
  expect((await fetch(`${there.url}/readyz`)).status).toBe(200)
})

test('a killed backup leaves no file under its name; a killed restoration is detected and can be repeated', async () => {
  const env = await emptyMachine('sqlite')
  await run(env, 'restore', path)
  await addLargeFile(env)
  const large = join(folder, 'large.tar')
  await killDuring(env, ['backup', large], () => readdirSync(folder).some((name) => name.includes('.partial')))
  expect(existsSync(large)).toBe(false)
  expect(await run(env, 'backup', large)).toMatchObject({ code: 0 })

  const target = await emptyMachine('sqlite')
  const written = join(target.DATA_DIR, 'storage/tmp')
  await killDuring(target, ['restore', large], () => existsSync(written) && readdirSync(written).length > 0)
  const sentence = '上一次恢复没有完成'
  await expect(startSite('sqlite', target)).rejects.toThrow(sentence)
  expect((await run(target, 'backup')).output).toContain(sentence)
  expect((await run(target, 'restore', large)).output).toContain('恢复完成')
  expect((await backUpManifest(target)).tables.user).toEqual(manifest.tables.user)
})

/** The manifest of a backup made now. */
async function backUpManifest({ DATA_DIR, DATABASE_URL }: { DATA_DIR: string; DATABASE_URL: string }) {
  const database = openDatabase(DATABASE_URL)
  const storage = await diskStorage(join(DATA_DIR, 'storage'))
  const second = join(folder, 'second.tar')
  const made = await makeBackup({ database, storage, path: second, version: '', now: Date.now, say: () => {} })
  await database.db.destroy()
  rmSync(second)
  return made.manifest
}

async function emptyMachine(engine: 'sqlite' | 'postgres'): Promise<Record<'DATA_DIR' | 'DATABASE_URL', string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wendou-restored-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  if (engine === 'sqlite') return { DATA_DIR: dataDir, DATABASE_URL: join(dataDir, 'wendou.db') }
  const copy = await copyDatabase({ empty: true })
  onTestFinished(() => copy.remove())
  return { DATA_DIR: dataDir, DATABASE_URL: copy.url }
}

async function run(env: Record<string, string>, ...words: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [cli, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** Kills a command with SIGKILL as soon as `isRunning`. */
async function killDuring(env: Record<string, string>, words: string[], isRunning: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [cli, ...words], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!isRunning()) {
    expect(child.exitCode).toBeNull()
    await setTimeout(2)
  }
  child.kill('SIGKILL')
  expect((await ended)[1]).toBe('SIGKILL')
}

/** Large enough to be killed in the middle of copying it. */
async function addLargeFile({ DATA_DIR, DATABASE_URL }: { DATA_DIR: string; DATABASE_URL: string }): Promise<void> {
  const bytes = Buffer.concat([randomBytes(16), Buffer.alloc(48 * 1024 * 1024)])
  const hash = createHash('sha256').update(bytes).digest('hex')
  const storage = await diskStorage(join(DATA_DIR, 'storage'))
  await storage.put(contentKey(hash), bytes)
  const { db } = openDatabase(DATABASE_URL)
  await db.insertInto('stored_file').values({ hash, size: bytes.length, last_used_at: 0, created_at: 0 }).execute()
  await db.destroy()
}

/** Uploads, comments and registrations while `work` runs; gives their number. None may be refused. */
async function underLoad(root: Member, work: () => Promise<void>): Promise<number> {
  const { document } = await root.call(contract.documents.list, { wd: '', page: 1, size: 1 })
  const on = { type: ContentType.Document, document_id: document[0]?.id ?? 0, parent_id: 0 }
  const over = new AbortController()
  let done = 0
  const busy = async (act: (n: number) => Promise<unknown>) => {
    for (let n = 0; !over.signal.aborted; n++) {
      await act(n)
      done += 1
    }
  }
  // If one fails, the others still end.
  const ends = await Promise.allSettled([
    work().finally(() => over.abort()),
    busy(async (n) => {
      const { refusal } = await author.upload('新.pdf', makePdf({ title: `新 ${n}` }))
      expect(refusal).toBe('')
    }),
    busy((n) => root.call(contract.comments.create, { ...on, content: `第 ${n} 句` })),
    busy((n) =>
      root.call(contract.users.create, { username: `later-${n}`, password: 'secret-password', group_id: [2] }),
    ),
  ])
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
  return done
}
