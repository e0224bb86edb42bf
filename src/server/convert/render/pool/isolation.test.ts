import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { Prepared } from '../../converter.ts'
import { descendants, drawingProcesses, usedSeconds } from './descendants.ts'
import { hasBubblewrap } from '../isolation.ts'
import { firstExtra, madePdf } from '../made-pdf.ts'
import { type RendererOptions, type Renderers, startRenderers } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'wendou-render-'))
const running: Renderers[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((renderers) => renderers.close()))
  await vi.waitFor(() => expect(descendants()).toEqual([]), 2000)
})
afterAll(() => rmSync(folder, { recursive: true }))

function start(options: RendererOptions = {}): Renderers {
  const renderers = startRenderers({ processes: 1, folders: [folder], ...options })
  running.push(renderers)
  return renderers
}

function saved(name: string, bytes: Uint8Array): Prepared {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return { path, type: 'pdf' }
}

const good = saved('good.pdf', madePdf(Array.from({ length: 60 }, (_, n) => ({ lines: [`第${n + 1}页`] }))))
const other = saved('other.pdf', madePdf(Array.from({ length: 60 }, () => ({ lines: ['别的'] }))))
const third = saved('third.pdf', madePdf([{ lines: ['再来'] }]))

/** Forms inside forms, twelve times twelve times twelve …: never done. */
const endless = saved(
  'endless.pdf',
  madePdf([{ content: '/X Do', resources: `/XObject << /X ${firstExtra} 0 R >>` }, { lines: ['第二页'] }], {
    objects: Array.from({ length: 9 }, (_, n) => [
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X ${firstExtra + n + 1} 0 R >> >>`,
      n === 8 ? '0 0 m 9 9 l S' : '/X Do '.repeat(12),
    ]),
  }),
)

test('a page that never ends is stopped by the clock, and the next one is drawn', async () => {
  const renderers = start({ limits: { pageMs: 1500 } })
  const started = Date.now()
  await expect(renderers.page(endless, 1)).rejects.toMatchObject({ name: 'Unconvertible', reason: 'timeout' })
  expect(Date.now() - started).toBeLessThan(6000)
  expect((await renderers.page(good, 1)).lines[0]?.[4]).toBe('第1页')
})

test('one endless page costs a document only that page of its text', async () => {
  const renderers = start({ limits: { pageMs: 1000 } })
  const pages = await renderers.lines(endless, 1, 2)
  expect(pages.map(({ page, lines }) => [page, lines[0]?.[4]])).toEqual([
    [1, undefined],
    [2, '第二页'],
  ])
})

test('a process that takes too much memory is stopped', async () => {
  const renderers = start({ limits: { memory: 60e6 } })
  await expect(renderers.page(endless, 1)).rejects.toMatchObject({ reason: 'memory' })
})

test('a million strokes do not hold up what comes after them', async () => {
  const strokes = Array.from({ length: 1_000_000 }, (_, n) => `${n % 595} 0 m ${n % 313} 842 l S`).join('\n')
  const renderers = start({ limits: { pageMs: 2000 } })
  const heavy = renderers
    .page(saved('strokes.pdf', madePdf([{ content: strokes }])), 1)
    .catch((error: unknown) => error)
  expect((await renderers.page(good, 1)).lines[0]?.[4]).toBe('第1页')
  expect(await heavy).toMatchObject({ reason: /timeout|memory/ })
})

test('what was killed is tried once more, then given up; others do not notice', async () => {
  const renderers = start({ limits: { pageMs: 50_000 } })
  const failed = renderers.page(endless, 1).catch((error: unknown) => error)
  const waits = renderers.page(good, 2)
  waits.catch(() => {})
  for (let time = 0; time < 2; time++) {
    // Far beyond what the start takes: it is at the page now.
    const victim = await vi.waitFor(() => {
      const [found = 0] = drawingProcesses()
      expect(usedSeconds(found)).toBeGreaterThan(1)
      return found
    }, 20_000)
    process.kill(victim, 'SIGKILL')
    await vi.waitFor(() => expect(drawingProcesses()).not.toContain(victim), 5000)
  }
  expect(await failed).toMatchObject({ name: 'Unconvertible', reason: 'crashed' })
  expect((await waits).lines[0]?.[4]).toBe('第2页')
})

test('a process that dies while it has nothing to do is replaced unnoticed', async () => {
  const renderers = start()
  await renderers.page(good, 1)
  for (const pid of drawingProcesses()) process.kill(pid, 'SIGKILL')
  expect((await renderers.page(good, 2)).lines[0]?.[4]).toBe('第2页')
})

test('pages a person waits for go before all others, and documents take turns', async () => {
  const renderers = start()
  const order: string[] = []
  const ask = (name: string, book: Prepared, page: number, urgency: 0 | 1 | 2) =>
    renderers.page(book, page, { urgency }).then(() => order.push(name))
  await Promise.all([
    ask('good 1', good, 1, 2),
    ask('good 2', good, 2, 2),
    ask('good 3', good, 3, 2),
    ask('good 4', good, 4, 2),
    ask('good 5', good, 5, 2),
    ask('other 1', other, 1, 2),
    ask('third 1', third, 1, 1),
    ask('good 9', good, 9, 0),
  ])
  expect(order).toEqual(['good 9', 'third 1', 'good 1', 'other 1', 'good 2', 'good 3', 'good 4', 'good 5'])
})

test('the same page is drawn once for all who ask for it at the same time', async () => {
  const renderers = start()
  const [one, two] = await Promise.all([renderers.page(good, 1), renderers.page(good, 1, { urgency: 0 })])
  expect(one).toBe(two)
  expect(await renderers.page(good, 1)).not.toBe(one)
})

test('nobody waits any more: what has not begun is not begun', async () => {
  const renderers = start({ limits: { pageMs: 1500 } })
  const gone = new AbortController()
  const first = renderers.page(endless, 1).catch((error: unknown) => error)
  const waiting = renderers.page(endless, 1, { signal: gone.signal })
  const alone = renderers.page(good, 5, { signal: gone.signal })
  gone.abort(new Error('away'))
  await expect(waiting).rejects.toThrow('away')
  await expect(alone).rejects.toThrow('away')
  await expect(renderers.page(good, 5, { signal: gone.signal })).rejects.toThrow('away')
  expect(await first).toMatchObject({ reason: 'timeout' })
})

test('no process before the first page, none after a while without work', async () => {
  const renderers = start({ processes: 2, limits: { idleMs: 500 } })
  expect(descendants()).toEqual([])
  await Promise.all([renderers.page(good, 1), renderers.page(other, 1), renderers.page(good, 2)])
  expect(drawingProcesses().length).toBeGreaterThan(0)
  await vi.waitFor(() => expect(descendants()).toEqual([]), 5000)
  expect((await renderers.page(good, 3)).lines[0]?.[4]).toBe('第3页')
})

test('a process that has drawn enough makes way for a new one', async () => {
  const renderers = start({ limits: { pages: 3 } })
  await renderers.page(good, 1)
  const before = drawingProcesses()
  for (let page = 2; page <= 5; page++) await renderers.page(good, page)
  expect(drawingProcesses()).not.toEqual(before)
})

test('closing ends all processes and refuses whoever waits', async () => {
  const renderers = start({ processes: 2 })
  await renderers.page(good, 1)
  const waits = [1, 2].map((page) => renderers.page(endless, page).catch((error: unknown) => String(error)))
  const asks = Array.from({ length: 20 }, (_, n) =>
    renderers.page(other, n + 1).catch((error: unknown) => String(error)),
  )
  await renderers.close()
  expect(drawingProcesses()).toEqual([])
  expect((await Promise.all(waits))[0]).toContain('closed')
  expect((await Promise.all(asks)).at(-1)).toContain('closed')
  await expect(renderers.page(good, 1)).rejects.toThrow('closed')
})

test('a renderer knows nothing of our environment', async () => {
  vi.stubEnv('SITE_SECRET', 'geheim')
  await start().page(good, 1)
  const environments = drawingProcesses().map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'))
  expect(environments).toHaveLength(1)
  expect(environments.join()).not.toContain('SITE_SECRET')
  vi.unstubAllEnvs()
})

test.runIf(hasBubblewrap())(
  'behind bubblewrap there is no network, no other file and nowhere to write',
  async (context) => {
    const renderers = start({ walls: 'bubblewrap' })
    await renderers.page(good, 1)
    const [pid] = drawingProcesses()
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n')
    // Installed, but not allowed on this machine: the renderers run plainly.
    if (readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n').length === mounts.length) context.skip()
    const devices = readFileSync(`/proc/${pid}/net/dev`, 'utf8').match(/^\s*\w+:/gm)
    expect(devices?.map((name) => name.trim())).toEqual(['lo:'])
    const files = mounts.filter((mount) => !/ \/(dev|proc)[ /]/.test(mount))
    expect(files.filter((mount) => !/ ro[ ,]/.test(mount))).toEqual([])
    const outside = join(tmpdir(), `wendou-outside-${process.pid}.pdf`)
    writeFileSync(outside, madePdf([{ lines: ['外面'] }]))
    await expect(renderers.page({ path: outside, type: 'pdf' }, 1)).rejects.toMatchObject({ reason: 'missing' })
    rmSync(outside)
  },
)

test('without bubblewrap pages and pictures are drawn all the same', async () => {
  const renderers = start({ walls: 'plain' })
  expect((await renderers.page(good, 1)).lines[0]?.[4]).toBe('第1页')
  expect((await renderers.picture(good, 1, 100)).length).toBeGreaterThan(100)
})
