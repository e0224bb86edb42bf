import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Document } from 'mupdf'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeOdt } from '#server/samples/open-document.ts'
import { pack } from '#server/samples/pack.ts'
import { makeXlsx } from '#server/samples/sheets.ts'
import { makePptx } from '#server/samples/slides.ts'
import { makeDocx } from '#server/samples/word.ts'
import { writeTempFile, tempFolder } from '#server/testing/folder.ts'
import type { RenderSource } from '../converter.ts'
import { prewarmedOffice, type PrewarmOptions } from './prewarmed.ts'
import { createOfficeProfile, type OfficeProfile } from './profile.ts'
import { openOffice } from './office.ts'
import { findOffice } from '../sandbox/executables.ts'
import { detectIsolation } from '../sandbox/sandbox.ts'
import { sniff } from '../sniff.ts'

const executable = findOffice() ?? ''
const isReady = executable !== '' && (await detectIsolation()) === 'bubblewrap'

describe.skipIf(!isReady)('a prewarmed LibreOffice', () => {
  let folder: string
  let profile: OfficeProfile
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
    profile = await createOfficeProfile(folder, executable, 'bubblewrap')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['a.docx', makeDocx({ pages: 2, title: '甲' })],
    ['a.odt', makeOdt()],
    ['a.xlsx', makeXlsx()],
    ['a.pptx', makePptx({ slides: 2 })],
  ])('makes the same PDF of %s as a cold start', async (name, content) => {
    const job = await jobOf(name, content)
    const prewarmed = await (await ready()).toPdf(job)
    const office = openOffice({ workDir: tempFolder(), isolation: detectIsolation })
    const cold = await office.toPdf(await jobOf(name, content))
    await office.close()
    expect(textOf(prewarmed?.path ?? '')).toBe(textOf(cold.path))
    expect(readdirSync(job.folder)).toEqual(['document.pdf'])
  })

  test.each([
    ['a.docx', makeDocx({ pages: 30 }), 30],
    ['a.pptx', makePptx({ slides: 12 }), 12],
  ])('converts the first pages of %s before the whole document', async (name, content, pages) => {
    const job = await jobOf(name, content)
    const previews: string[] = []
    const onFirstPages = ({ path }: RenderSource) => void previews.push(path)
    const whole = await (await ready()).toPdf({ ...job, limits: { ...job.limits, onFirstPages } })
    const [first = ''] = previews
    expect(pagesOf(first)).toHaveLength(3)
    expect(pagesOf(whole?.path ?? '').length).toBeGreaterThanOrEqual(pages)
    expect(pagesOf(first)[0]).toBe(pagesOf(whole?.path ?? '')[0])
  })

  test.each([
    ['a.docx', makeDocx({ pages: 2 })],
    ['a.xlsx', makeXlsx()],
  ])('converts %s once: it is short, or its format gains nothing by a preview', async (name, content) => {
    const job = await jobOf(name, content)
    const previews: RenderSource[] = []
    const limits = { ...job.limits, onFirstPages: (preview: RenderSource) => void previews.push(preview) }
    const whole = await (await ready()).toPdf({ ...job, limits })
    expect(previews).toEqual([])
    expect(pagesOf(whole?.path ?? '')).not.toEqual([])
    expect(readdirSync(job.folder)).toHaveLength(1)
  })

  test('converts one document and exits, and leaves no files', async () => {
    const office = await ready()
    expect(processesIn(folder)).not.toEqual([])
    expect(await office.toPdf(await jobOf('a.docx', makeDocx()))).toBeDefined()
    expect(await office.toPdf(await jobOf('a.docx', makeDocx()))).toBeUndefined()
    expect(processesIn(folder)).toEqual([])
    expect(workDirsIn(folder)).toEqual([])
  })

  test('is killed by the timeout of its document', async () => {
    const office = await ready()
    const job = await jobOf('a.docx', makeDocx({ pages: 200 }), 200)
    await expect(office.toPdf(job)).rejects.toMatchObject({ reason: 'timeout' })
    expect(processesIn(folder)).toEqual([])
  })

  test('is killed when the conversion is aborted', async () => {
    const office = await ready()
    const controller = new AbortController()
    const job = await jobOf('a.docx', makeDocx({ pages: 200 }))
    const conversion = office.toPdf({ ...job, limits: { ...job.limits, signal: controller.signal } })
    setTimeout(() => controller.abort(new Error('cancelled')), 100)
    await expect(conversion).rejects.toThrow('cancelled')
    expect(processesIn(folder)).toEqual([])
  })

  test('leaves a file that it cannot read to the cold start', async () => {
    expect(await (await ready()).toPdf(await jobOf('a.docx', broken))).toBeUndefined()
  })

  test('exits when no document arrives', async () => {
    await ready({ idleMs: 600 })
    await until(() => processesIn(folder).length === 0 && workDirsIn(folder).length === 0)
  })

  test('exits on close, even while it is starting', async () => {
    const office = await ready()
    await office.close()
    expect(processesIn(folder)).toEqual([])
    const early = prewarmedOffice({ delayMs: 0 })
    early.warmUp({ executable, profile, timeoutMs: 30_000 })
    await until(() => processesIn(folder).length > 0)
    await early.close()
    expect(processesIn(folder)).toEqual([])
    expect(workDirsIn(folder)).toEqual([])
  })

  test('is not started again and again where the program does not answer', async () => {
    const office = prewarmedOffice({ delayMs: 0 })
    onTestFinished(() => office.close())
    for (let n = 0; n < 4; n += 1) {
      office.warmUp({ executable: '/bin/true', profile, timeoutMs: 1000 })
      await pause(300)
    }
    expect(await office.toPdf(await jobOf('a.docx', makeDocx()))).toBeUndefined()
    expect(workDirsIn(folder)).toEqual([])
  })

  async function ready(options: PrewarmOptions = {}) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const office = prewarmedOffice({ delayMs: 0, onReady: resolve, ...options })
    onTestFinished(() => office.close())
    office.warmUp({ executable, profile, timeoutMs: 30_000 })
    await promise
    return office
  }
})

describe.skipIf(!isReady)('consecutive documents', () => {
  test('the first document starts the prewarming, and two at a time are kept apart', async () => {
    const { office, folder, untilReady } = opened()
    expect(processesIn(folder)).toEqual([])
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    await untilReady(1)
    const both = await Promise.all(
      ['甲', '乙'].map(async (title) => office.toPdf(await jobOf('a.docx', makeDocx({ title })))),
    )
    expect(both.map(({ path }) => textOf(path)[0])).toEqual(['甲', '乙'])
    await untilReady(2)
    await office.close()
    expect(processesIn(folder)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  test('a prewarmed process that was killed is replaced by a cold start', async () => {
    const { office, folder, untilReady } = opened()
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    await untilReady(1)
    for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL')
    const { path } = await office.toPdf(await jobOf('a.docx', makeDocx({ title: '丙' })))
    expect(textOf(path)).toMatch(/^丙/)
  })

  test('a file that cannot be read is damaged', async () => {
    const { office, untilReady } = opened()
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    await untilReady(1)
    await expect(office.toPdf(await jobOf('a.docx', broken))).rejects.toMatchObject({ reason: 'damaged' })
  })

  test('external references are not followed', async () => {
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { office, untilReady } = opened()
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    for (const [index, target] of [`http://127.0.0.1:${port}/a.png`, 'file:///job/warm-up.docx'].entries()) {
      await untilReady(index + 1)
      const body = `<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${target}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`
      const { path } = await office.toPdf(await jobOf('a.odt', makeOdt({ body })))
      expect(readFileSync(path, 'latin1')).not.toMatch(/\/Subtype\s*\/Image/)
    }
    expect(requests).toEqual([])
  })

  function opened() {
    const folder = tempFolder()
    let readyCount = 0
    const office = openOffice({
      workDir: folder,
      isolation: detectIsolation,
      prewarm: { delayMs: 0, onReady: () => (readyCount += 1) },
    })
    onTestFinished(() => office.close())
    return { office, folder, untilReady: (times: number) => until(() => readyCount >= times) }
  }
})

const broken = pack({ '[Content_Types].xml': 'wordprocessingml.document.main', 'word/document.xml': '<w:document' })

async function jobOf(name: string, content: Uint8Array, timeoutMs = 30_000) {
  const original = writeTempFile(name, content)
  return { original, probe: await sniff(original), folder: tempFolder(), limits: { timeoutMs } }
}

function pagesOf(path: string): string[] {
  const document = Document.openDocument(readFileSync(path), 'application/pdf')
  return Array.from({ length: document.countPages() }, (_, page) =>
    document.loadPage(page).toStructuredText('').asText(),
  )
}

function textOf(path: string): string {
  return pagesOf(path).join('\n').trim()
}

/** The work directories of prewarmed processes. */
function workDirsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /warm-\w+$/.test(path))
}

/** bubblewrap processes have the folders that they mount in their arguments. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return (
          args[0]?.endsWith('bwrap') === true && args.some((arg) => arg.startsWith(`${folder}/`) && arg.endsWith('/in'))
        )
      } catch {
        return false
      }
    })
    .map(Number)
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 30 }).toBe(true)
}
