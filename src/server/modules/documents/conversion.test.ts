import { mkdir, readdir, rmdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { Ctx } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { bring, documentRow, renditionRow } from '#server/testing/converting.ts'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { contextWith, keptOf, openWorkshop, takeJob } from '#server/testing/conversion-site.ts'
import { beginConversions } from './documents.jobs.ts'
import { mend } from '#server/modules/renditions/repair.ts'
import { readStretch } from '#server/modules/renditions/extract-text.ts'
import { pageTexts } from '#server/modules/renditions/page-text.ts'

let site: Site
let clock: Ctx['now']
const shop = openWorkshop()
beforeAll(async () => {
  site = await openSite()
  clock = (await site.app.context()).now
})
afterAll(() => site.close())
afterAll(() => shop.close())

test('a PDF becomes pages with sizes, outline, cover and text', async () => {
  const { id, hash } = await bring(site, { name: '年报.pdf', content: makePdf({ title: '年报', pages: 45 }) })
  await site.settle()
  expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: 45, width: 595, height: 842 })
  const rendition = await renditionRow(site, hash)
  expect(rendition).toMatchObject({ state: 'done', type: 'pdf', made: 0, read_pages: 45, has_cover: 1, reason: '' })
  expect(rendition.excerpt).toContain('年报')
  const ctx = await site.app.context()
  const texts = await pageTexts(ctx, hash, rendition.revision, 19, 22)
  expect(texts.map((text) => text.match(/年报 \d+/)?.[0])).toEqual(['年报 19', '年报 20', '年报 21', '年报 22'])
  const plan = await site.root.call(documents.plan, { id })
  expect(plan).toMatchObject({ pages: 45, preview: 45, size: [{ width: 595, height: 842, count: 45 }] })
  expect(plan.outline).toHaveLength(45)
})

test('text and office files become pages too', async () => {
  const text = await bring(site, { name: '小说.txt', content: makeText(3) })
  const word = await bring(site, { name: '说明.docx', content: makeDocx({ pages: 2 }) })
  await site.settle()
  expect(await renditionRow(site, text.hash)).toMatchObject({ state: 'done', type: 'epub', made: 1 })
  expect(await renditionRow(site, word.hash)).toMatchObject({ state: 'done', type: 'pdf', made: 1, reason: '' })
  expect(await documentRow(site, text.id)).toMatchObject({ status: 2 })
  expect(await documentRow(site, word.id)).toMatchObject({ status: 2 })
  expect((await documentRow(site, word.id)).pages).toBeGreaterThanOrEqual(2)
})

test('the first page is there before anything of the text has been read', async () => {
  const { id, hash } = await bring(site, { name: '长.pdf', content: makePdf({ title: '长', pages: 60 }) })
  await shop.convertBy(await site.app.context(), hash)
  expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: 60 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', read_pages: 0, has_cover: 1 })
  const { document } = await site.root.call(documents.progress, { id: [id] })
  const [progress] = document
  expect(progress).toMatchObject({ status: 2, pages: 60, read: 0 })
  expect((await site.request(`/view/page/${progress?.hash}/1.svg`)).status).toBe(200)
  expect((await site.request(progress?.cover ?? '')).status).toBe(200)
  await site.settle()
  expect(await renditionRow(site, hash)).toMatchObject({ read_pages: 60 })
})

test('the same content is converted once, whoever brings it and when', async () => {
  const content = makePdf({ title: '同一份' })
  const first = await bring(site, { name: '甲.pdf', content })
  const second = await bring(site, { name: '乙.pdf', content })
  expect(await jobsOf(first.hash)).toHaveLength(1)
  await site.settle()
  const { revision } = await renditionRow(site, first.hash)
  const third = await bring(site, { name: '丙.pdf', content })
  for (const { id } of [first, second, third])
    expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: 1, width: 595 })
  await site.settle()
  expect((await renditionRow(site, first.hash)).revision).toBe(revision)
})

test('a document brought while its content is just being announced is not overlooked', async () => {
  const content = makePdf({ title: '同时' })
  const first = await bring(site, { name: '甲.pdf', content })
  const [, ...others] = await Promise.all([
    site.settle(),
    ...Array.from({ length: 8 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 15))
      return bring(site, { name: `${n}.pdf`, content })
    }),
  ])
  await site.settle()
  for (const { id } of [first, ...others]) expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: 1 })
})

test('a document that waits for its review is converted, and stays where it is', async () => {
  const { id } = await bring(site, { name: '待审.pdf', content: makePdf({ title: '待审' }), status: 6 })
  await site.settle()
  expect(await documentRow(site, id)).toMatchObject({ status: 6, pages: 1 })
})

test('what cannot be shown says why, to those whom it concerns', async () => {
  const owner = await site.member()
  const damaged = await bring(site, { name: '坏.pdf', content: `%PDF-1.7\n${'x'.repeat(300)}`, owner })
  const disguised = await bring(site, { name: '假.pdf', content: makeDocx(), owner })
  const kindle = await bring(site, { name: '书.azw3', content: `${'\0'.repeat(60)}BOOKMOBI${'\0'.repeat(400)}`, owner })
  await site.settle()
  const reasons = new Map<number, string>()
  for (const { id, hash } of [damaged, disguised, kindle]) {
    expect(await documentRow(site, id)).toMatchObject({ status: 3, pages: 0 })
    const { state, reason } = await renditionRow(site, hash)
    expect(state).toBe('failed')
    reasons.set(id, reason)
  }
  expect([...reasons.values()]).toEqual(['damaged', 'mismatch', 'unsupported'])
  const id = [...reasons.keys()]
  const told = async (call: Site['call']) =>
    (await call(documents.progress, { id })).document.map(({ convert_error }) => convert_error)
  expect(await told(owner.call)).toEqual([
    '文件已损坏，无法打开',
    '文件内容与扩展名不符',
    '暂不支持在线预览，可以下载后查看',
  ])
  expect(await told(site.call)).toEqual(['', '', '暂不支持在线预览，可以下载后查看'])
})

test('content that failed under one name gets another chance under the next', async () => {
  const content = makePdf({ title: '换名' })
  const wrong = await bring(site, { name: '换名.docx', content })
  await site.settle()
  expect(await documentRow(site, wrong.id)).toMatchObject({ status: 3 })
  const right = await bring(site, { name: '换名.pdf', content })
  await site.settle()
  expect(await documentRow(site, right.id)).toMatchObject({ status: 2, pages: 1 })
  expect(await documentRow(site, wrong.id)).toMatchObject({ status: 2, pages: 1 })
})

test('more pages than allowed is a reason of its own', async () => {
  await site.configure({ 'converter.max_pages': '3' })
  const { id, hash } = await bring(site, { name: '厚.pdf', content: makePdf({ title: '厚', pages: 4 }) })
  await site.settle()
  await site.configure({ 'converter.max_pages': '20000' })
  expect(await documentRow(site, id)).toMatchObject({ status: 3 })
  expect(await renditionRow(site, hash)).toMatchObject({ reason: 'tooManyPages', detail: '4 pages' })
})

test('what may succeed the next time is tried again, three times at most', async () => {
  const { id, hash } = await bring(site, { name: '慢.pdf', content: makePdf({ title: '慢' }) })
  const ctx = await contextWith(site, { open: () => Promise.reject(new Unconvertible('timeout', 'slow\0program')) })
  for (const attempt of [1, 2]) {
    await expect(shop.convertBy(ctx, hash, { attempt })).rejects.toThrow('timeout')
    expect(await documentRow(site, id)).toMatchObject({ status: 0 })
    expect(await renditionRow(site, hash)).toMatchObject({ state: 'waiting', reason: 'timeout', detail: 'slowprogram' })
  }
  await shop.convertBy(ctx, hash, { attempt: 3 })
  expect(await documentRow(site, id)).toMatchObject({ status: 3 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', reason: 'timeout' })
})

test('an error nobody foresaw counts as a crash', async () => {
  const { id, hash } = await bring(site, { name: '怪.pdf', content: makePdf({ title: '怪' }) })
  const ctx = await contextWith(site, { open: () => Promise.reject(new TypeError('boom')) })
  await shop.convertBy(ctx, hash, { attempt: 5, last: true })
  expect(await documentRow(site, id)).toMatchObject({ status: 3 })
  expect(await renditionRow(site, hash)).toMatchObject({ reason: 'crashed', detail: 'TypeError: boom' })
})

test('without the program, or without room, a document waits; it goes on by itself or with the next start', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  for (const [error, reason] of [
    [new Unconvertible('noTool'), 'noTool'],
    [full, 'diskFull'],
  ] as const) {
    const { id, hash } = await bring(site, { name: `${reason}.txt`, content: makeText(1) + reason })
    await takeJob(site, hash)
    const ctx = await contextWith(site, { prepare: () => Promise.reject(error) })
    await shop.convertBy(ctx, hash, { attempt: 5, last: true })
    await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).where('state', '=', 'running').execute()
    expect(await documentRow(site, id)).toMatchObject({ status: 0 })
    expect(await renditionRow(site, hash)).toMatchObject({ state: 'waiting', reason })
    const [job] = await jobsOf(hash)
    expect((job?.run_at ?? 0) - ctx.now()).toBeGreaterThan(9 * 60_000)
    // A worker that starts takes it up without waiting for the ten minutes.
    const worker = site.app.work()
    await expect.poll(async () => (await documentRow(site, id)).status, { timeout: 15_000 }).toBe(2)
    await worker.stop()
    expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', reason: '' })
  }
})

test('a stopping worker hands its conversion back at once', async () => {
  const { id, hash } = await bring(site, { name: '停.pdf', content: makePdf({ title: '停' }) })
  await takeJob(site, hash)
  const stop = new AbortController()
  const ctx = await contextWith(site, {
    prepare: () => {
      stop.abort()
      return new Promise(() => {})
    },
  })
  await shop.convertBy(ctx, hash, { signal: stop.signal })
  expect(await documentRow(site, id)).toMatchObject({ status: 0 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'waiting' })
  expect((await jobsOf(hash)).filter(({ state }) => state === 'waiting')).toHaveLength(1)
  await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).where('state', '=', 'running').execute()
  await site.settle()
  expect(await documentRow(site, id)).toMatchObject({ status: 2 })
})

const stages = ['probe', 'prepare', 'open', 'page', 'picture'] as const
test.each(stages)('a worker killed in “%s” loses nothing: the next one ends in the same state', async (stage) => {
  const { id, hash } = await bring(site, { name: `${stage}.txt`, content: `${makeText(2)}${stage}` })
  await takeJob(site, hash)
  const reached = Promise.withResolvers<void>()
  const hung = Promise.withResolvers<void>()
  const killed = await site.app.context()
  const converter = { ...killed.converter }
  const real: (...given: never[]) => Promise<unknown> = converter[stage]
  const hang = async (...given: never[]) => {
    reached.resolve()
    await hung.promise
    return real(...given)
  }
  Object.assign(converter, { [stage]: hang })
  const zombie = shop.convertBy({ ...killed, converter }, hash)
  await reached.promise
  site.pass(70_000)
  await site.settle()
  const rendition = await renditionRow(site, hash)
  expect(rendition).toMatchObject({ state: 'done', has_cover: 1, read_pages: rendition.pages })
  expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: rendition.pages })
  // The dead come back, find that all is done, and leave nothing behind.
  hung.resolve()
  await zombie
  await site.settle()
  const after = await renditionRow(site, hash)
  expect({ ...after, updated_at: 0 }).toEqual({ ...rendition, updated_at: 0 })
  const revisions = new Set((await keptOf(site, hash)).map((key) => key.split('/')[4]))
  expect([...revisions]).toEqual([String(rendition.revision)])
})

test('a reader killed in the middle is followed by another, and no page is read twice', async () => {
  const { hash } = await bring(site, { name: '读.pdf', content: makePdf({ title: '读', pages: 130 }) })
  await shop.convertBy(await site.app.context(), hash)
  const { revision } = await renditionRow(site, hash)
  await site.db
    .updateTable('job')
    .set({ state: 'running', worker: 'dead', lease_until: clock() + 60_000 })
    .where('key', '=', `read:${hash}:${revision}`)
    .execute()
  let slices = 0
  const killed = await contextWith(site, {
    lines: async (...given) => {
      slices += 1
      if (slices === 3) throw new Error('killed')
      return (await site.app.context()).converter.lines(...given)
    },
  })
  const stretch = { hash, revision, from: 1, unread: 0 }
  await expect(readStretch(killed, stretch, new AbortController().signal)).rejects.toThrow('killed')
  expect(await renditionRow(site, hash)).toMatchObject({ read_pages: 40 })
  site.pass(70_000)
  await site.settle()
  const rendition = await renditionRow(site, hash)
  expect(rendition).toMatchObject({ read_pages: 130 })
  expect(rendition.excerpt.match(/读 1\n/g)).toHaveLength(1)
  const texts = await pageTexts(await site.app.context(), hash, revision, 1, 130)
  expect(texts.map((text) => /^读 (\d+)/.exec(text)?.[1])).toEqual(Array.from({ length: 130 }, (_, n) => String(n + 1)))
})

test('a conversion that takes its worker down each time ends as failed, not as stuck', async () => {
  const { id, hash } = await bring(site, { name: '杀.pdf', content: makePdf({ title: '杀' }) })
  await site.db.updateTable('rendition').set({ state: 'working' }).where('hash', '=', hash).execute()
  await site.db.updateTable('document').set({ status: 1 }).where('id', '=', id).execute()
  await site.db
    .updateTable('job')
    .set({ state: 'failed', error: '处理它的进程一再中断', updated_at: clock() + 1 })
    .where('key', '=', `convert:${hash}`)
    .execute()
  await mend(await site.app.context())
  expect(await documentRow(site, id)).toMatchObject({ status: 3 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', reason: 'crashed' })
})

test('what was lost is found: a job that is gone, a document that nobody told', async () => {
  const lost = await bring(site, { name: '丢.pdf', content: makePdf({ title: '丢' }) })
  await site.db.deleteFrom('job').where('key', '=', `convert:${lost.hash}`).execute()
  await mend(await site.app.context())
  await site.settle()
  expect(await documentRow(site, lost.id)).toMatchObject({ status: 2 })
  await site.db.updateTable('document').set({ status: 0, pages: 0 }).where('id', '=', lost.id).execute()
  await mend(await site.app.context())
  expect(await documentRow(site, lost.id)).toMatchObject({ status: 2, pages: 1 })
})

test('twenty small documents do not wait for a big one', async () => {
  const big = await bring(site, { name: '大.pdf', content: makePdf({ title: '大', pages: 500 }) })
  const small = []
  for (let n = 0; n < 20; n++)
    small.push(await bring(site, { name: `${n}.pdf`, content: makePdf({ title: `小${n}` }) }))
  const worker = site.app.work()
  const ids = small.map(({ id }) => id)
  const ready = () =>
    site.db.selectFrom('document').select('id').where('id', 'in', ids).where('status', '=', 2).execute()
  await expect.poll(async () => (await ready()).length, { timeout: 20_000, interval: 10 }).toBe(20)
  expect((await renditionRow(site, big.hash)).read_pages).toBeLessThan(500)
  await worker.stop()
  await site.settle()
  expect(await renditionRow(site, big.hash)).toMatchObject({ read_pages: 500 })
}, 40_000)

test('two processes share the work, and each content is announced once', async () => {
  const brought = []
  for (let n = 0; n < 6; n++) brought.push(await bring(site, { name: `${n}.txt`, content: `${makeText(1)}两个${n}` }))
  const other = (await site.sibling()).work()
  await site.settle()
  await other.stop()
  for (const { id, hash } of brought) {
    expect(await documentRow(site, id)).toMatchObject({ status: 2 })
    expect(new Set((await keptOf(site, hash)).map((key) => key.split('/')[4])).size).toBe(1)
  }
})

test('it is all the same when the files are on an S3 server', async () => {
  const s3 = await startS3()
  const far = await openSite({ STORAGE_URL: s3.url })
  onTestFinished(async () => {
    await far.close()
    await s3.close()
  })
  const pdf = await bring(far, { name: '远.pdf', content: makePdf({ title: '远', pages: 25 }) })
  const text = await bring(far, { name: '远.txt', content: makeText(1) })
  await far.settle()
  for (const { id } of [pdf, text]) {
    expect(await documentRow(far, id)).toMatchObject({ status: 2 })
    const [progress] = (await far.root.call(documents.progress, { id: [id] })).document
    for (const path of [`page/${progress?.hash}/1.svg`, `text/${progress?.hash}/1.json`, `cover/${progress?.hash}`])
      expect((await far.request(`/view/${path}`)).status, path).toBe(200)
  }
})

test('a database that fails after the announcement costs nothing that was announced', async () => {
  const { id, hash } = await bring(site, { name: '断.txt', content: `${makeText(1)}断` })
  const ctx = await contextWith(site, {
    picture: () => {
      throw new Error('connection lost')
    },
  })
  await shop.convertBy(ctx, hash)
  expect(await documentRow(site, id)).toMatchObject({ status: 2 })
  expect((await keptOf(site, hash)).some((key) => key.endsWith('book.epub'))).toBe(true)
  site.pass(20_000)
  await site.settle()
  expect(await renditionRow(site, hash)).toMatchObject({ has_cover: 1 })
})

test('a failed conversion leaves nothing in the storage', async () => {
  const { hash } = await bring(site, { name: '净.txt', content: `${makeText(1)}净` })
  const ctx = await contextWith(site, { page: () => Promise.reject(new Unconvertible('damaged')) })
  await shop.convertBy(ctx, hash)
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', reason: 'damaged' })
  expect(await keptOf(site, hash)).toEqual([])
})

test('nor does one that was left behind under a name nobody foresaw', async () => {
  const { hash } = await bring(site, { name: '异.txt', content: `${makeText(1)}异` })
  const real = (await site.app.context()).converter
  const ctx = await contextWith(site, {
    prepare: async (...given) => ({ ...(await real.prepare(...given)), type: 'djvu' as 'pdf' }),
    open: () => Promise.reject(new Unconvertible('damaged')),
  })
  await shop.convertBy(ctx, hash)
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed' })
  expect(await keptOf(site, hash)).toEqual([])
})

test.each(['fails', 'is stopped'])('one who comes back from the dead and %s leaves the next one alone', async (how) => {
  const { id, hash } = await bring(site, { name: '魂.pdf', content: makePdf({ title: `魂${how}` }) })
  await takeJob(site, hash)
  const [reached, hung, stop] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), new AbortController()]
  const dead = await contextWith(site, {
    open: async () => {
      reached.resolve()
      await hung.promise
      if (how === 'is stopped') stop.abort()
      throw new Unconvertible('damaged')
    },
  })
  const zombie = shop.convertBy(dead, hash, { signal: stop.signal })
  await reached.promise
  const real = (await site.app.context()).converter
  const living = await contextWith(site, {
    open: async (...given) => {
      hung.resolve()
      await zombie
      expect(await documentRow(site, id)).toMatchObject({ status: 1 })
      expect(await renditionRow(site, hash)).toMatchObject({ state: 'working', reason: '' })
      return real.open(...given)
    },
  })
  await shop.convertBy(living, hash)
  expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: 1 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', reason: '' })
  expect((await jobsOf(hash)).filter(({ state }) => state === 'waiting')).toEqual([])
  await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).execute()
  await site.settle()
})

test('preparing is told when to stop', async () => {
  const { hash } = await bring(site, { name: '令.pdf', content: makePdf({ title: '令' }) })
  const stop = new AbortController()
  let told: AbortSignal | undefined
  const ctx = await contextWith(site, {
    prepare: (_source, _probe, _folder, limits) => {
      told = limits.signal
      stop.abort()
      return new Promise(() => {})
    },
  })
  await shop.convertBy(ctx, hash, { signal: stop.signal })
  expect(told?.aborted).toBe(true)
  await site.settle()
})

test('a conversion has only so many minutes, whatever hangs', async () => {
  const { id, hash } = await bring(site, { name: '挂.pdf', content: makePdf({ title: '挂' }) })
  const ctx = await contextWith(site, { prepare: () => new Promise(() => {}) })
  const settings = { ...ctx.settings, converter: { ...ctx.settings.converter, timeout: 0.002 } }
  await shop.convertBy({ ...ctx, settings }, hash, { attempt: 3 })
  expect(await documentRow(site, id)).toMatchObject({ status: 3 })
  expect(await renditionRow(site, hash)).toMatchObject({ reason: 'timeout' })
})

test('a document whose pages cannot be read is shown without its text, and does not keep the queue busy', async () => {
  const { id, hash } = await bring(site, { name: '图.pdf', content: makePdf({ title: '图', pages: 200 }) })
  await shop.convertBy(await site.app.context(), hash)
  const { revision } = await renditionRow(site, hash)
  let tried = 0
  const ctx = await contextWith(site, {
    lines: () => {
      tried += 1
      return Promise.reject(new Unconvertible('timeout'))
    },
  })
  await readStretch(ctx, { hash, revision, from: 1, unread: 0 }, new AbortController().signal)
  expect(tried).toBe(3)
  expect(await renditionRow(site, hash)).toMatchObject({ read_pages: 200, excerpt: '' })
  expect(await documentRow(site, id)).toMatchObject({ status: 2 })
  await site.settle()
})

test('a stopping reader hands the rest back', async () => {
  const { hash } = await bring(site, { name: '停读.pdf', content: makePdf({ title: '停读', pages: 90 }) })
  await shop.convertBy(await site.app.context(), hash)
  const { revision } = await renditionRow(site, hash)
  await site.db.deleteFrom('job').where('key', '=', `read:${hash}:${revision}`).execute()
  const stop = new AbortController()
  const ctx = await contextWith(site, {
    lines: async (book, from, to, ask) => {
      if (from > 40) stop.abort()
      return (await site.app.context()).converter.lines(book, from, to, ask)
    },
  })
  await readStretch(ctx, { hash, revision, from: 1, unread: 0 }, stop.signal)
  expect(await renditionRow(site, hash)).toMatchObject({ read_pages: 40 })
  await site.settle()
  expect(await renditionRow(site, hash)).toMatchObject({ read_pages: 90 })
})

test('who brings many documents lets others go before', async () => {
  const [busy, other] = [await site.member(), await site.member()]
  const priorityFor = async (owner: { id: number }, n: number) => {
    const ctx = await site.app.context()
    const viewer = { ...ctx.viewer, id: owner.id }
    const app = { ...site.app, context: () => Promise.resolve({ ...ctx, viewer }) }
    const { hash } = await bring(
      { ...site, app },
      { name: `${n}.pdf`, content: makePdf({ title: `${owner.id} ${n}` }), owner },
    )
    return (await jobsOf(hash))[0]?.priority ?? 0
  }
  for (let n = 0; n < 30; n++) await priorityFor(busy, n)
  expect(await priorityFor(busy, 30)).toBeLessThan(await priorityFor(other, 0))
  await site.settle()
})

test('what is converted again overtakes nobody who has just brought something', async () => {
  const old = await bring(site, { name: '旧.pdf', content: makePdf({ title: '旧' }) })
  const stuck = await bring(site, { name: '滞.txt', content: `${makeText(1)}滞` })
  const lost = await bring(site, { name: '失.pdf', content: makePdf({ title: '失' }) })
  await shop.convertBy(await site.app.context(), old.hash)
  for (const { hash } of [old, stuck, lost])
    await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).execute()
  await site.root.call(documents.reconvert, { id: [old.id] })
  await shop.convertBy(
    await contextWith(site, { prepare: () => Promise.reject(new Unconvertible('noTool')) }),
    stuck.hash,
  )
  await mend(await site.app.context())
  const fresh = await bring(site, { name: '新.pdf', content: makePdf({ title: '新' }) })
  const priorityOf = async ({ hash }: { hash: string }) => (await jobsOf(hash))[0]?.priority
  expect(await Promise.all([old, stuck, lost].map(priorityOf))).toEqual([0, 0, 0])
  expect(await priorityOf(fresh)).toBeGreaterThan(0)
  await site.settle()
})

test('folders of conversions that were killed go after a day', async () => {
  for (const name of ['old', 'new']) await mkdir(join(shop.folder, name), { recursive: true })
  await utimes(join(shop.folder, 'old'), 1, 1)
  await beginConversions(await site.app.context(), shop)
  expect(await readdir(shop.folder)).toEqual(['new'])
  await rmdir(join(shop.folder, 'new'))
})

test('nothing stays in the workshop', async () => {
  expect(await readdir(shop.folder)).toEqual([])
})

function jobsOf(hash: string) {
  return site.db.selectFrom('job').selectAll().where('key', '=', `convert:${hash}`).execute()
}
