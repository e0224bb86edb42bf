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
import { placeFile, tempFolder } from '#server/testing/folder.ts'
import type { Prepared } from '../converter.ts'
import { officeAhead, type AheadOptions } from './prewarmed.ts'
import { makeOfficeProfile, type OfficeProfile } from './profile.ts'
import { openOffice } from './office.ts'
import { findOffice } from '../sandbox/executables.ts'
import { findWalls } from '../sandbox/sandbox.ts'
import { sniff } from '../sniff.ts'

const program = findOffice() ?? ''
const isReady = program !== '' && (await findWalls()) === 'bubblewrap'

describe.skipIf(!isReady)('an office process that waits for its document', () => {
  let folder: string
  let profile: OfficeProfile
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
    profile = await makeOfficeProfile(folder, program, 'bubblewrap')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['a.docx', makeDocx({ pages: 2, title: '甲' })],
    ['a.odt', makeOdt()],
    ['a.xlsx', makeXlsx()],
    ['a.pptx', makePptx({ slides: 2 })],
  ])('makes the PDF of %s that one started for it makes', async (name, content) => {
    const job = await jobOf(name, content)
    const made = await (await ready()).toPdf(job)
    const usual = openOffice({ folder: tempFolder(), walls: findWalls })
    const other = await usual.toPdf(await jobOf(name, content))
    await usual.close()
    expect(textOf(made?.path ?? '')).toBe(textOf(other.path))
    expect(readdirSync(job.folder)).toEqual(['document.pdf'])
  })

  test.each([
    ['a.docx', makeDocx({ pages: 30 }), 30],
    ['a.pptx', makePptx({ slides: 12 }), 12],
  ])('has the first pages of %s before the whole', async (name, content, pages) => {
    const job = await jobOf(name, content)
    const early: string[] = []
    const onFirstPages = ({ path }: Prepared) => void early.push(path)
    const made = await (await ready()).toPdf({ ...job, limits: { ...job.limits, onFirstPages } })
    const [first = ''] = early
    expect(pagesOf(first)).toHaveLength(3)
    expect(pagesOf(made?.path ?? '').length).toBeGreaterThanOrEqual(pages)
    expect(pagesOf(first)[0]).toBe(pagesOf(made?.path ?? '')[0])
  })

  test.each([
    ['a.docx', makeDocx({ pages: 2 })],
    ['a.xlsx', makeXlsx()],
  ])('makes %s once, which is short or gains nothing', async (name, content) => {
    const job = await jobOf(name, content)
    const early: Prepared[] = []
    const limits = { ...job.limits, onFirstPages: (first: Prepared) => void early.push(first) }
    const made = await (await ready()).toPdf({ ...job, limits })
    expect(early).toEqual([])
    expect(pagesOf(made?.path ?? '')).not.toEqual([])
    expect(readdirSync(job.folder)).toHaveLength(1)
  })

  test('takes one document and goes, with all that it had', async () => {
    const ahead = await ready()
    expect(processesIn(folder)).not.toEqual([])
    expect(await ahead.toPdf(await jobOf('a.docx', makeDocx()))).toBeDefined()
    expect(await ahead.toPdf(await jobOf('a.docx', makeDocx()))).toBeUndefined()
    expect(processesIn(folder)).toEqual([])
    expect(waitingIn(folder)).toEqual([])
  })

  test('is ended by the clock of its document', async () => {
    const ahead = await ready()
    const before = Date.now()
    const job = await jobOf('a.docx', makeDocx({ pages: 200 }), 200)
    await expect(ahead.toPdf(job)).rejects.toMatchObject({ reason: 'timeout' })
    expect(Date.now() - before).toBeLessThan(2500)
    expect(processesIn(folder)).toEqual([])
  })

  test('is ended when nobody wants the document any more', async () => {
    const ahead = await ready()
    const controller = new AbortController()
    const job = await jobOf('a.docx', makeDocx({ pages: 200 }))
    const made = ahead.toPdf({ ...job, limits: { ...job.limits, signal: controller.signal } })
    setTimeout(() => controller.abort(new Error('cancelled')), 100)
    await expect(made).rejects.toThrow('cancelled')
    expect(processesIn(folder)).toEqual([])
  })

  test('leaves what it cannot read to the usual way', async () => {
    expect(await (await ready()).toPdf(await jobOf('a.docx', broken))).toBeUndefined()
  })

  test('goes when no document comes', async () => {
    await ready({ idleMs: 600 })
    await until(() => processesIn(folder).length === 0 && waitingIn(folder).length === 0)
  })

  test('goes at the end, also from the middle of its start', async () => {
    const ahead = await ready()
    await ahead.close()
    expect(processesIn(folder)).toEqual([])
    const early = officeAhead({ pauseMs: 0 })
    early.prepare({ program, profile, timeoutMs: 30_000 })
    await until(() => processesIn(folder).length > 0)
    await early.close()
    expect(processesIn(folder)).toEqual([])
    expect(waitingIn(folder)).toEqual([])
  })

  test('is not started again and again where the program cannot be spoken to', async () => {
    const ahead = officeAhead({ pauseMs: 0 })
    onTestFinished(() => ahead.close())
    for (let n = 0; n < 4; n += 1) {
      ahead.prepare({ program: '/bin/true', profile, timeoutMs: 1000 })
      await pause(300)
    }
    expect(await ahead.toPdf(await jobOf('a.docx', makeDocx()))).toBeUndefined()
    expect(waitingIn(folder)).toEqual([])
  })

  async function ready(options: AheadOptions = {}) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const ahead = officeAhead({ pauseMs: 0, onWaiting: resolve, ...options })
    onTestFinished(() => ahead.close())
    ahead.prepare({ program, profile, timeoutMs: 30_000 })
    await promise
    return ahead
  }
})

describe.skipIf(!isReady)('documents one after the other', () => {
  test('the next one waits only after the first, and two at a time do not meet', async () => {
    const { office, folder, waiting } = opened()
    expect(processesIn(folder)).toEqual([])
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    await waiting(1)
    const both = await Promise.all(
      ['甲', '乙'].map(async (title) => office.toPdf(await jobOf('a.docx', makeDocx({ title })))),
    )
    expect(both.map(({ path }) => textOf(path)[0])).toEqual(['甲', '乙'])
    await waiting(2)
    await office.close()
    expect(processesIn(folder)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  test('one that was killed while it waited is not missed', async () => {
    const { office, folder, waiting } = opened()
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    await waiting(1)
    for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL')
    const { path } = await office.toPdf(await jobOf('a.docx', makeDocx({ title: '丙' })))
    expect(textOf(path)).toMatch(/^丙/)
  })

  test('what cannot be read is damaged, as ever', async () => {
    const { office, waiting } = opened()
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    await waiting(1)
    await expect(office.toPdf(await jobOf('a.docx', broken))).rejects.toMatchObject({ reason: 'damaged' })
  })

  test('references to the outside are not followed', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { office, waiting } = opened()
    await office.toPdf(await jobOf('a.docx', makeDocx()))
    for (const [index, target] of [`http://127.0.0.1:${port}/a.png`, 'file:///job/first.docx'].entries()) {
      await waiting(index + 1)
      const body = `<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${target}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`
      const { path } = await office.toPdf(await jobOf('a.odt', makeOdt({ body })))
      expect(readFileSync(path, 'latin1')).not.toMatch(/\/Subtype\s*\/Image/)
    }
    expect(asked).toEqual([])
  })

  function opened() {
    const folder = tempFolder()
    let waited = 0
    const office = openOffice({ folder, walls: findWalls, ahead: { pauseMs: 0, onWaiting: () => (waited += 1) } })
    onTestFinished(() => office.close())
    return { office, folder, waiting: (times: number) => until(() => waited >= times) }
  }
})

const broken = pack({ '[Content_Types].xml': 'wordprocessingml.document.main', 'word/document.xml': '<w:document' })

async function jobOf(name: string, content: Uint8Array, timeoutMs = 30_000) {
  const source = placeFile(name, content)
  return { source, probe: await sniff(source), folder: tempFolder(), limits: { timeoutMs } }
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

/** Rooms of processes that wait for a document. */
function waitingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /ahead-\w+$/.test(path))
}

/** The walls' own processes name the folders that they bind. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return (
          words[0]?.endsWith('bwrap') === true &&
          words.some((word) => word.startsWith(`${folder}/`) && word.endsWith('/in'))
        )
      } catch {
        return false
      }
    })
    .map(Number)
}

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 10_000, interval: 30 }).toBe(true)
}
