import { DocumentStatus } from '#shared/document-status.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { findOffice, findExecutable } from '#server/convert/sandbox/executables.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { type UploadClient, createUploadClient } from './upload-client.ts'
import { mixedFiles, sendAll } from './mixed-files.ts'
import { configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Conversion under faults: hostile files, killed processes, executables that are not installed. */

const owner = { username: 'admin', password: 'owner password' }
const office = findOffice() ?? ''
const bubblewrap = findExecutable('bwrap') ?? ''
const main = resolve(import.meta.dirname, '../src/server/main.ts')
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

test.skipIf(!office)(
  'of many files in a row every good one is shown, every bad one says why, and nothing is left over',
  async () => {
    const { site, uploader } = await open()
    const results = await sendAll(uploader, mixedFiles({ files: 40, bad: 18 }))
    expect(results.surprises).toEqual([])
    expect(results).toMatchObject({ shown: 23, failed: 13, refused: 4 })
    await idle(site)
    expect(readdirSync(join(site.dataDir, 'convert/jobs'))).toEqual([])
    expect(readdirSync(join(site.dataDir, 'tmp'))).toEqual([])
  },
  240_000,
)

test.skipIf(!office)(
  'a site that is killed several times while it converts shows every document in the end, each page once',
  async () => {
    const { site, uploader } = await open()
    const texts = ['甲', '乙', '丙', '丁', '戊', '己']
    const files = texts.flatMap((mark, n): [string, Uint8Array][] => [
      [`${mark}.pdf`, makePdf({ title: mark, pages: 30 + n * 15 })],
      [`${mark}.txt`, Buffer.from(`${mark}\n${makeText(3)}`)],
      [`${mark}.docx`, makeDocx({ title: mark, pages: 2 })],
    ])
    const published = await uploader.publish(...files)
    let life = site
    for (let kill = 0; kill < 3; kill++) {
      await setTimeout(200 + Math.random() * 1500)
      life.process.kill('SIGKILL')
      await once(life.process, 'exit')
      await expect.poll(() => processesWith(site.dataDir), { timeout: 10_000 }).toEqual([])
      await expireLeases(site)
      const next = await site.startSecond()
      ends.push(() => next.stop())
      life = next
    }
    const again = await createUploadClient(life.url, owner)
    const ids = published.map(({ id }) => id)
    const progress = await again.waitUntilFinished(ids, 120_000)
    expect(progress.map(({ status, convert_error }) => `${status}${convert_error}`)).toEqual(ids.map(() => '2'))
    await idle(site)
    for (const [n] of texts.entries()) {
      const { pages, hash } = progress.find(({ id }) => id === ids[n * 3]) ?? { pages: 0, hash: '' }
      expect(pages).toBe(30 + n * 15)
      const firstLines = await Promise.all(
        Array.from({ length: pages }, async (_, at) => firstLine(`${life.url}/view/text/${hash}/${at + 1}.json`)),
      )
      expect(firstLines).toEqual(Array.from({ length: pages }, (_, at) => `${texts[n]} ${at + 1}`))
    }
    expect(listTextFiles(site.dataDir)).toHaveLength(ids.length)
  },
  240_000,
)

test.skipIf(!office)(
  'another worker takes over the job of a killed worker when its lease has expired',
  async () => {
    const { site, uploader } = await open({ ROLE: 'web' })
    const worker = startWorker(site)
    const files = Array.from({ length: 6 }, (_, n): [string, Uint8Array] => [
      `${n}.docx`,
      makeDocx({ title: `第${n}份`, pages: 3 }),
    ])
    const ids = (await uploader.publish(...files)).map(({ id }) => id)
    const conversions = () =>
      site.db
        .selectFrom('job')
        .select(['id', 'worker', 'lease_until'])
        .where('kind', '=', 'renditions.convert-office')
        .where('state', '=', 'running')
        .orderBy('id')
        .execute()
    await expect.poll(async () => (await conversions()).length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(0)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    const held = await conversions()
    expect(held.length).toBeGreaterThan(0)
    for (const { lease_until } of held) expect(lease_until).toBeGreaterThan(Date.now() + 20_000)

    startWorker(site)
    const shown = async () =>
      (await site.db.selectFrom('document').select('id').where('status', '=', DocumentStatus.Converted).execute())
        .length
    await expect.poll(shown, { timeout: 60_000 }).toBeGreaterThanOrEqual(ids.length - held.length)
    const dead = new Set(held.map((job) => job.worker))
    expect((await conversions()).filter((job) => dead.has(job.worker))).toEqual(held)
    await expireLeases(site)
    const progress = await uploader.waitUntilFinished(ids, 60_000)
    expect(new Set(progress.map(({ status, pages }) => `${status} ${pages}`))).toEqual(new Set(['2 3']))
  },
  180_000,
)

test.skipIf(!office || !bubblewrap)(
  'without LibreOffice PDFs are shown and office files wait; once it is installed they are converted',
  async () => {
    const { site, uploader } = await open({ ROLE: 'web' })
    const hidden = hideOffice()
    startWorker(site, hidden.command)
    const [pdf, docx, txt] = await uploader.publish(
      ['年报.pdf', makePdf()],
      ['说明.docx', makeDocx()],
      ['小说.txt', Buffer.from(makeText())],
    )
    await uploader.waitUntilFinished([pdf?.id ?? 0, txt?.id ?? 0], 60_000)
    const rendition = async () => {
      const rows = await site.db
        .selectFrom('rendition')
        .select(['state', 'reason'])
        .where('ext', '=', '.docx')
        .execute()
      return rows[0]
    }
    await expect.poll(rendition, { timeout: 30_000 }).toEqual({ state: 'waiting', reason: 'noTool' })
    const { convert_error } = await uploader.call(documents.get, { id: docx?.id ?? 0 })
    expect(convert_error).toContain('没有安装所需的转换程序')

    hidden.install()
    // Ten minutes later.
    await site.db
      .updateTable('job')
      .set({ run_at: Date.now() })
      .where('kind', '=', 'renditions.convert-office')
      .execute()
    const [shown] = await uploader.waitUntilFinished([docx?.id ?? 0], 60_000)
    expect(shown).toMatchObject({ status: DocumentStatus.Converted, pages: 1, convert_error: '' })
  },
  180_000,
)

async function open(env: Record<string, string> = {}): Promise<{ site: RunningSite; uploader: UploadClient }> {
  const site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password, ...env })
  ends.push(() => site.stop())
  await configure(site, { 'security.enable_captcha_login': 'false', 'converter.max_preview_free': '0' })
  return { site, uploader: await createUploadClient(site.url, owner) }
}

function startWorker({ dataDir, databaseUrl }: RunningSite, [command = process.execPath, ...args]: string[] = []) {
  const env = { ...process.env, ROLE: 'worker', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
  const worker: ChildProcess = spawn(command, [...args, main], { env, stdio: 'ignore' })
  ends.push(async () => {
    if (worker.exitCode !== null || worker.signalCode !== null) return
    worker.kill('SIGTERM')
    await once(worker, 'exit')
  })
  return worker
}

/** A mount namespace in which soffice cannot be executed, until `install` is called. */
function hideOffice(): { command: string[]; install: () => void } {
  const program = realpathSync(office)
  const folder = mkdtempSync(join(tmpdir(), 'wendou-office-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  const empty = join(folder, 'soffice')
  writeFileSync(empty, '')
  const command = [bubblewrap, '--die-with-parent', '--dev-bind', '/', '/', '--bind', empty, program, process.execPath]
  return {
    command,
    install() {
      writeFileSync(empty, readFileSync(program))
      chmodSync(empty, 0o755)
    },
  }
}

/** As if a worker had not renewed its leases for a minute. */
async function expireLeases({ db }: RunningSite): Promise<void> {
  await db.updateTable('job').set({ lease_until: 1 }).where('state', '=', 'running').execute()
}

/** Waits until no job about documents is left; none may have failed. */
async function idle({ db }: RunningSite): Promise<void> {
  const left = () =>
    db
      .selectFrom('job')
      .select(['kind', 'state', 'error'])
      .where(({ eb, or }) => or([eb('kind', 'like', 'renditions.%'), eb('state', '=', 'failed')]))
      .execute()
  await expect.poll(left, { timeout: 60_000, interval: 200 }).toEqual([])
}

async function firstLine(address: string): Promise<unknown> {
  const { lines } = (await (await fetch(address)).json()) as { lines: unknown[][] }
  return lines[0]?.[4]
}

/** Folders of renditions: one for each conversion of each file. */
function listTextFiles(dataDir: string): string[] {
  const paths = readdirSync(join(dataDir, 'storage/renditions'), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => path.split('/').length === 4)
}

/** Processes that were started for the site and have outlived it. */
function processesWith(dataDir: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return []
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return words.includes(dataDir) ? [words] : []
    } catch {
      return []
    }
  })
}
