import { existsSync, readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { backups } from '#shared/contract/backups.ts'
import { proofs } from '#shared/contract/account-security.ts'
import { openBackup } from '#server/backup/read.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { requestBackup } from './backups.ts'
import { backupJobs } from './backups.jobs.ts'

let site: DocumentSite
let folder: string
beforeAll(async () => {
  site = await openDocumentSite()
  folder = join(site.config.dataDir, 'backups')
  await site.suspendSchedules()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('backup').execute()
})

async function make() {
  const { id } = await site.root.call(backups.create)
  await site.runDueJobs()
  // Two of one second would have the same name.
  site.advanceClock(1000)
  return id
}

const list = async (person: Person = site.root) => (await person.call(backups.list)).backup

test('a backup is made in the background, read again, and can be restored from', async () => {
  const { id } = await site.root.call(backups.create)
  expect(await list()).toMatchObject([{ id, state: 'waiting', path: '', is_here: false }])
  expect(await refusal(site.root.call(backups.create))).toMatchObject({ reason: 'backups.running', status: 409 })
  await site.runDueJobs()
  const reply = await site.root.call(backups.list)
  const [made] = reply.backup
  expect(made).toMatchObject({ id, state: 'done', error: '', host: hostname(), is_here: true, missing: 0, altered: 0 })
  expect(made?.path).toMatch(/backups\/wendou-\d{8}-\d{6}\.tar$/)
  expect(made?.size).toBeGreaterThan(1000)
  expect(reply).toMatchObject({ folder, last_good_at: made?.finished_at })
  const backup = await openBackup(made?.path ?? '')
  expect(backup.manifest.tables.user?.rows).toBeGreaterThan(0)
  await backup.close()
})

test('only administrators see, make and take backups; taking one asks for a fresh proof', async () => {
  const id = await make()
  const staff = await site.staff('ConfigAPI/UpdateConfig')
  const refused = [staff.call(backups.list), staff.call(backups.create), staff.call(backups.link, { id })].map(refusal)
  for (const answer of await Promise.all(refused)) expect(answer).toMatchObject({ status: 403 })
  site.advanceClock(11 * 60_000)
  expect(await refusal(site.root.call(backups.link, { id }))).toMatchObject({ reason: 'security.proofNeeded' })
  expect(await refusal(site.root.call(backups.delete, { id: [id] }))).toMatchObject({ reason: 'security.proofNeeded' })
  await site.root.call(proofs.give, { password: site.root.password })
  const { link } = await site.root.call(backups.link, { id })
  const response = await site.request(link)
  expect(response.headers.get('content-disposition')).toContain('wendou-')
  expect((await response.arrayBuffer()).byteLength).toBe((await list())[0]?.size)
  const part = await site.request(link, { headers: { range: 'bytes=0-9' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  expect((await site.request(`${link}x`)).status).toBe(404)
  site.advanceClock(61 * 60_000)
  expect((await site.request(link)).status).toBe(404)
})

test('so many are kept as the setting says, and what is deleted is gone from the disk', async () => {
  await site.configure({ 'backup.keep': '2' })
  const made = [await make(), await make(), await make()]
  expect((await list()).map(({ id }) => id)).toEqual([made[2], made[1]])
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.tar'))
  const before = files().length
  await site.root.call(proofs.give, { password: site.root.password })
  await site.root.call(backups.delete, { id: [made[1] ?? 0] })
  expect(files().length).toBe(before - 1)
  expect((await list()).map(({ id }) => id)).toEqual([made[2]])
})

test('what lies on another machine is said to lie there, and stays there', async () => {
  await site.configure({ 'backup.keep': '1' })
  const id = await make()
  const path = (await list())[0]?.path ?? ''
  await rename(path, `${path}.elsewhere`)
  await site.db.updateTable('backup').set({ host: 'machine-2' }).where('id', '=', id).execute()
  expect(await list()).toMatchObject([{ id, host: 'machine-2', is_here: false }])
  await site.root.call(proofs.give, { password: site.root.password })
  const refused = await refusal(site.root.call(backups.link, { id }))
  expect(refused).toMatchObject({ reason: 'backups.elsewhere', message: expect.stringContaining(`machine-2：${path}`) })
  const second = await make()
  expect((await list()).map((row) => row.id)).toEqual([second, id])
})

test('one that cannot be made says why; the next one is made', async () => {
  const deps = { database: { db: site.db, engine: 'sqlite' as const, url: '' }, folder: '/dev/null/x' }
  const ctx = await site.app.context()
  const id = await requestBackup(ctx, { isScheduled: false })
  await site.db.deleteFrom('job').where('kind', '=', 'backups.make').execute()
  const run = { attempt: 1, last: false, priority: 0, owner: 0, signal: new AbortController().signal }
  await backupJobs(deps)['backups.make'](ctx, { backup: id }, run)
  expect(await list()).toMatchObject([{ id, state: 'failed', error: expect.stringContaining('备份没有完成') }])
  const { text } = await site.send('GET', '/metrics')
  expect(text).toMatch(/^wendou_backup_last_failed \d$/m)
  expect(text).toMatch(/^wendou_backup_last_good_timestamp_seconds [\d.e+]+$/m)
  const next = await make()
  expect((await list())[0]).toMatchObject({ id: next, state: 'done' })
})

test('the schedule makes one a day, or one a week, from its hour on, on one node; a lost one is given up', async () => {
  const tick = async (at: Date) => {
    const ctx = { ...(await site.app.context()), now: () => at.getTime() }
    await backupJobs({ database: { db: site.db, engine: 'sqlite', url: '' }, folder })['backups.tick'](ctx)
    return (await list()).filter(({ state }) => state === 'waiting').length
  }
  const finish = () =>
    site.db.updateTable('backup').set({ state: 'done', pending_key: '' }).where('pending_key', '<>', '').execute()
  const on = (day: number, hour: number) => new Date(2030, 0, day, hour)
  await site.configure({ 'backup.schedule': 'off', 'backup.hour': '3' })
  expect(await tick(on(1, 4))).toBe(0)
  await site.configure({ 'backup.schedule': 'daily' })
  expect(await tick(on(1, 2))).toBe(0)
  expect(await tick(on(1, 4))).toBe(1)
  expect(await tick(on(1, 5))).toBe(1)
  await finish()
  expect(await tick(on(1, 6))).toBe(0)
  expect(await tick(on(2, 3))).toBe(1)
  await finish()
  await site.configure({ 'backup.schedule': 'weekly' })
  expect(await tick(on(5, 4))).toBe(0)
  expect(await tick(on(9, 4))).toBe(1)
  await site.db.deleteFrom('job').where('kind', '=', 'backups.make').execute()
  expect(await tick(on(9, 5))).toBe(0)
  expect((await list())[0]).toMatchObject({ state: 'failed', is_scheduled: true })
  expect(existsSync(folder)).toBe(true)
})
