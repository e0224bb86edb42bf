import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { RenderPriority, type RenderSource } from '../../converter.ts'
import { descendantPids, rendererPids, cpuSeconds } from './process-tree.ts'
import { hasBubblewrap } from '../isolation.ts'
import { makeEndlessPdf, makeRawPdf } from '#server/samples/raw-pdf.ts'
import { type PoolOptions, type RendererPool, createRendererPool } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'wendou-render-'))
const pools: RendererPool[] = []

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
  await vi.waitFor(() => expect(descendantPids()).toEqual([]), 2000)
})
afterAll(() => rmSync(folder, { recursive: true }))

function start(options: PoolOptions = {}): RendererPool {
  const pool = createRendererPool({ processes: 1, folders: [folder], ...options })
  pools.push(pool)
  return pool
}

function savePdf(name: string, bytes: Uint8Array): RenderSource {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return { path, type: 'pdf' }
}

const good = savePdf('good.pdf', makeRawPdf(Array.from({ length: 60 }, (_, n) => ({ lines: [`第${n + 1}页`] }))))
const other = savePdf('other.pdf', makeRawPdf(Array.from({ length: 60 }, () => ({ lines: ['别的'] }))))
const third = savePdf('third.pdf', makeRawPdf([{ lines: ['再来'] }]))

/** Renders a page, and gives its first line. */
async function renderedText(pool: RendererPool, source: RenderSource, page: number): Promise<string | undefined> {
  await pool.renderPage(source, page)
  return (await pool.extractLines(source, page, page))[0]?.lines[0]?.[4]
}

const endless = savePdf('endless.pdf', makeEndlessPdf('无尽'))

test('a page that never ends is stopped by its timeout, and the next one is rendered', async () => {
  const pool = start({ limits: { pageTimeoutMs: 1500 } })
  await expect(pool.renderPage(endless, 1)).rejects.toMatchObject({ name: 'Unconvertible', reason: 'timeout' })
  expect(await renderedText(pool, good, 1)).toBe('第1页')
})

test('while all processes are held by endless pages, other documents get one of their own', async () => {
  const pool = start({ processes: 2, limits: { pageTimeoutMs: 60_000 } })
  const held = ['a', 'b', 'c'].map((name) => {
    const copy = savePdf(`endless-${name}.pdf`, makeEndlessPdf(name))
    const priority = name === 'c' ? RenderPriority.Background : RenderPriority.Reader
    return pool.renderPage(copy, 1, { priority }).catch((error: unknown) => error)
  })
  expect(await renderedText(pool, good, 1)).toBe('第1页')
  expect((await pool.open(other)).pages).toBe(60)
  await pool.close()
  for (const outcome of await Promise.all(held))
    expect(outcome).toMatchObject({ message: expect.stringContaining('closed') })
})

test('one endless page costs a document only that page of its text', async () => {
  const pool = start({ limits: { pageTimeoutMs: 1000 } })
  const pages = await pool.extractLines(endless, 1, 2)
  expect(pages.map(({ page, lines }) => [page, lines[0]?.[4]])).toEqual([
    [1, undefined],
    [2, '第二页'],
  ])
})

test('a process that exceeds its memory is killed', async () => {
  const pool = start({ limits: { maxMemoryBytes: 60e6 } })
  await expect(pool.renderPage(endless, 1)).rejects.toMatchObject({ reason: 'memory' })
})

test('a page of a million strokes does not block the requests after it', async () => {
  const strokes = Array.from({ length: 1_000_000 }, (_, n) => `${n % 595} 0 m ${n % 313} 842 l S`).join('\n')
  const pool = start({ limits: { pageTimeoutMs: 2000 } })
  const heavy = pool
    .renderPage(savePdf('strokes.pdf', makeRawPdf([{ content: strokes }])), 1)
    .catch((error: unknown) => error)
  expect(await renderedText(pool, good, 1)).toBe('第1页')
  expect(await heavy).toMatchObject({ reason: /timeout|memory/ })
})

test('a request whose process was killed is retried once; other requests are not affected', async () => {
  const pool = start({ limits: { pageTimeoutMs: 50_000 } })
  const failed = pool.renderPage(endless, 1).catch((error: unknown) => error)
  const unaffected = pool.renderPage(good, 2)
  unaffected.catch(() => {})
  for (let time = 0; time < 2; time++) {
    // Far more CPU time than the start takes: it is rendering the page.
    const victim = await vi.waitFor(() => {
      const [pid = 0] = rendererPids()
      expect(cpuSeconds(pid)).toBeGreaterThan(1)
      return pid
    }, 20_000)
    process.kill(victim, 'SIGKILL')
    await vi.waitFor(() => expect(rendererPids()).not.toContain(victim), 5000)
  }
  expect(await failed).toMatchObject({ name: 'Unconvertible', reason: 'crashed' })
  expect((await unaffected).svg.length).toBeGreaterThan(100)
}, 120_000)

test('a process that is killed while idle is replaced', async () => {
  const pool = start()
  await pool.renderPage(good, 1)
  for (const pid of rendererPids()) process.kill(pid, 'SIGKILL')
  expect(await renderedText(pool, good, 2)).toBe('第2页')
})

test('requests of higher priority go first, and documents take turns', async () => {
  const pool = start()
  const order: string[] = []
  const render = (name: string, source: RenderSource, page: number, priority: RenderPriority) =>
    pool.renderPage(source, page, { priority }).then(() => order.push(name))
  await Promise.all([
    render('good 1', good, 1, 2),
    render('good 2', good, 2, 2),
    render('good 3', good, 3, 2),
    render('good 4', good, 4, 2),
    render('good 5', good, 5, 2),
    render('other 1', other, 1, 2),
    render('third 1', third, 1, 1),
    render('good 9', good, 9, 0),
  ])
  expect(order).toEqual(['good 9', 'third 1', 'good 1', 'other 1', 'good 2', 'good 3', 'good 4', 'good 5'])
})

test('a page that several callers request at the same time is rendered once', async () => {
  const pool = start()
  const [one, two] = await Promise.all([
    pool.renderPage(good, 1),
    pool.renderPage(good, 1, { priority: RenderPriority.Reader }),
  ])
  expect(one).toBe(two)
  expect(await pool.renderPage(good, 1)).not.toBe(one)
})

test('a request that was aborted before its turn is not rendered', async () => {
  const pool = start({ limits: { pageTimeoutMs: 1500 } })
  const controller = new AbortController()
  const first = pool.renderPage(endless, 1).catch((error: unknown) => error)
  const shared = pool.renderPage(endless, 1, { signal: controller.signal })
  const alone = pool.renderPage(good, 5, { signal: controller.signal })
  controller.abort(new Error('aborted'))
  await expect(shared).rejects.toThrow('aborted')
  await expect(alone).rejects.toThrow('aborted')
  await expect(pool.renderPage(good, 5, { signal: controller.signal })).rejects.toThrow('aborted')
  expect(await first).toMatchObject({ reason: 'timeout' })
})

test('processes are started with the first request, and stopped when idle', async () => {
  const pool = start({ processes: 2, limits: { idleMs: 500 } })
  expect(descendantPids()).toEqual([])
  await Promise.all([pool.renderPage(good, 1), pool.renderPage(other, 1), pool.renderPage(good, 2)])
  expect(rendererPids().length).toBeGreaterThan(0)
  await vi.waitFor(() => expect(descendantPids()).toEqual([]), 5000)
  expect(await renderedText(pool, good, 3)).toBe('第3页')
})

test('a process that has rendered enough pages is replaced', async () => {
  const pool = start({ limits: { recyclePages: 3 } })
  await pool.renderPage(good, 1)
  const before = rendererPids()
  for (let page = 2; page <= 5; page++) await pool.renderPage(good, page)
  expect(rendererPids()).not.toEqual(before)
})

test('closing stops all processes and fails the requests that wait', async () => {
  const pool = start({ processes: 2 })
  await pool.renderPage(good, 1)
  const running = [1, 2].map((page) => pool.renderPage(endless, page).catch((error: unknown) => String(error)))
  const queued = Array.from({ length: 20 }, (_, n) =>
    pool.renderPage(other, n + 1).catch((error: unknown) => String(error)),
  )
  await pool.close()
  expect(rendererPids()).toEqual([])
  expect((await Promise.all(running))[0]).toContain('closed')
  expect((await Promise.all(queued)).at(-1)).toContain('closed')
  await expect(pool.renderPage(good, 1)).rejects.toThrow('closed')
})

test('a renderer does not get the environment of the server', async () => {
  vi.stubEnv('SITE_SECRET', 'secret')
  await start().renderPage(good, 1)
  const environments = rendererPids().map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'))
  expect(environments).toHaveLength(1)
  expect(environments.join()).not.toContain('SITE_SECRET')
  vi.unstubAllEnvs()
})

test.runIf(hasBubblewrap())(
  'with bubblewrap there is no network, no other file and no write access',
  async (context) => {
    const pool = start({ isolation: 'bubblewrap' })
    await pool.renderPage(good, 1)
    const [pid] = rendererPids()
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n')
    // Installed, but not permitted on this machine: the pool fell back to Node's permissions.
    if (readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n').length === mounts.length) context.skip()
    const devices = readFileSync(`/proc/${pid}/net/dev`, 'utf8').match(/^\s*\w+:/gm)
    expect(devices?.map((name) => name.trim())).toEqual(['lo:'])
    const files = mounts.filter((mount) => !/ \/(dev|proc)[ /]/.test(mount))
    expect(files.filter((mount) => !/ ro[ ,]/.test(mount))).toEqual([])
    const outside = join(tmpdir(), `wendou-outside-${process.pid}.pdf`)
    writeFileSync(outside, makeRawPdf([{ lines: ['外面'] }]))
    await expect(pool.renderPage({ path: outside, type: 'pdf' }, 1)).rejects.toMatchObject({ reason: 'missing' })
    rmSync(outside)
  },
)

test('without bubblewrap pages and images are rendered as well', async () => {
  const pool = start({ isolation: 'permissions' })
  expect(await renderedText(pool, good, 1)).toBe('第1页')
  expect((await pool.renderImage(good, 1, 100)).webp.length).toBeGreaterThan(100)
})
