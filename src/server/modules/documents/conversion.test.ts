import { DocumentStatus } from '#shared/document-status.ts'
import { mkdir, readdir, rmdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { Ctx } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { jobKeySql } from '#server/jobs.ts'
import { RetryLast } from '#server/jobs/queue.ts'
import { publishDocument, documentRow, renditionRow } from '#server/testing/publish-document.ts'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import {
  contextWithConverter,
  listRenditionFiles,
  openConversionSite,
  leaseToDeadWorker,
} from '#server/testing/conversion-site.ts'
import { repairRenditions } from '#server/modules/renditions/repair.ts'
import { extractTextBatch } from '#server/modules/renditions/extract-text.ts'
import { readPageTexts } from '#server/modules/renditions/page-text.ts'
import { resumeConversions } from '#server/modules/renditions/renditions.jobs.ts'
import { documentsOfRendition } from './documents.observer.ts'
import { repairDocuments } from './documents.repair.ts'

let site: Site
let clock: Ctx['now']
const conversions = openConversionSite()
beforeAll(async () => {
  site = await openSite()
  clock = (await site.app.context()).now
})
afterAll(() => site.close())
afterAll(() => conversions.close())

test('a PDF becomes pages with sizes, outline, cover and text', async () => {
  const { id, hash } = await publishDocument(site, { name: '年报.pdf', content: makePdf({ title: '年报', pages: 45 }) })
  await site.runDueJobs()
  expect(await documentRow(site, id)).toMatchObject({
    status: DocumentStatus.Converted,
    pages: 45,
    width: 595,
    height: 842,
  })
  const rendition = await renditionRow(site, hash)
  expect(rendition).toMatchObject({
    state: 'done',
    source_type: 'pdf',
    is_derived: 0,
    text_pages: 45,
    has_cover: 1,
    reason: '',
  })
  expect(rendition.excerpt).toContain('年报')
  const ctx = await site.app.context()
  const texts = await readPageTexts(ctx, { hash, revision: rendition.revision, from: 19, to: 22 })
  expect(texts.map((text) => text.match(/年报 \d+/)?.[0])).toEqual(['年报 19', '年报 20', '年报 21', '年报 22'])
  const plan = await site.root.call(documents.layout, { id })
  expect(plan).toMatchObject({ pages: 45, preview: 45, size: [{ width: 595, height: 842, count: 45 }] })
  expect(plan.outline).toHaveLength(45)
})

test('text and office files become pages too', async () => {
  const text = await publishDocument(site, { name: '小说.txt', content: makeText(3) })
  const word = await publishDocument(site, { name: '说明.docx', content: makeDocx({ pages: 2 }) })
  await site.runDueJobs()
  expect(await renditionRow(site, text.hash)).toMatchObject({ state: 'done', source_type: 'epub', is_derived: 1 })
  expect(await renditionRow(site, word.hash)).toMatchObject({
    state: 'done',
    source_type: 'pdf',
    is_derived: 1,
    reason: '',
  })
  expect(await documentRow(site, text.id)).toMatchObject({ status: DocumentStatus.Converted })
  expect(await documentRow(site, word.id)).toMatchObject({ status: DocumentStatus.Converted })
  expect((await documentRow(site, word.id)).pages).toBeGreaterThanOrEqual(2)
})

test('the first page is available before any text is extracted', async () => {
  const { id, hash } = await publishDocument(site, { name: '长.pdf', content: makePdf({ title: '长', pages: 60 }) })
  await conversions.convertBy(await site.app.context(), hash)
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted, pages: 60 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', text_pages: 0, has_cover: 1 })
  const { document } = await site.root.call(documents.progress, { id: [id] })
  const [progress] = document
  expect(progress).toMatchObject({ status: DocumentStatus.Converted, pages: 60, read: 0 })
  expect((await site.request(`/view/page/${progress?.hash}/1.svg`)).status).toBe(200)
  expect((await site.request(progress?.cover ?? '')).status).toBe(200)
  await site.runDueJobs()
  expect(await renditionRow(site, hash)).toMatchObject({ text_pages: 60 })
})

test('the same content is converted once for all documents that have it', async () => {
  const content = makePdf({ title: '同一份' })
  const first = await publishDocument(site, { name: '甲.pdf', content })
  const second = await publishDocument(site, { name: '乙.pdf', content })
  expect(await findJobs(first.hash)).toHaveLength(1)
  await site.runDueJobs()
  const { revision } = await renditionRow(site, first.hash)
  const third = await publishDocument(site, { name: '丙.pdf', content })
  for (const { id } of [first, second, third])
    expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted, pages: 1, width: 595 })
  await site.runDueJobs()
  expect((await renditionRow(site, first.hash)).revision).toBe(revision)
})

test('a document published while the conversion of its content ends gets its pages', async () => {
  const content = makePdf({ title: '同时' })
  const first = await publishDocument(site, { name: '甲.pdf', content })
  const [, ...others] = await Promise.all([
    site.runDueJobs(),
    ...Array.from({ length: 8 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 15))
      return publishDocument(site, { name: `${n}.pdf`, content })
    }),
  ])
  await site.runDueJobs()
  for (const { id } of [first, ...others])
    expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted, pages: 1 })
})

test('a document in review is converted, and stays in review', async () => {
  const { id } = await publishDocument(site, {
    name: '待审.pdf',
    content: makePdf({ title: '待审' }),
    status: DocumentStatus.InReview,
  })
  await site.runDueJobs()
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.InReview, pages: 1 })
})

test('owners see why a document failed; visitors see only that a format is unsupported', async () => {
  const owner = await site.member()
  const damaged = await publishDocument(site, { name: '坏.pdf', content: `%PDF-1.7\n${'x'.repeat(300)}`, owner })
  const disguised = await publishDocument(site, { name: '假.pdf', content: makeDocx(), owner })
  const kindle = await publishDocument(site, {
    name: '书.azw3',
    content: `${'\0'.repeat(60)}BOOKMOBI${'\0'.repeat(400)}`,
    owner,
  })
  await site.runDueJobs()
  const reasons = new Map<number, string>()
  for (const { id, hash } of [damaged, disguised, kindle]) {
    expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Failed, pages: 0 })
    const { state, reason } = await renditionRow(site, hash)
    expect(state).toBe('failed')
    reasons.set(id, reason)
  }
  expect([...reasons.values()]).toEqual(['damaged', 'mismatch', 'unsupported'])
  const id = [...reasons.keys()]
  const errorsFor = async (call: Site['call']) =>
    (await call(documents.progress, { id })).document.map(({ convert_error }) => convert_error)
  expect(await errorsFor(owner.call)).toEqual([
    '文件已损坏，无法打开',
    '文件内容与扩展名不符',
    '暂不支持在线预览，可以下载后查看',
  ])
  expect(await errorsFor(site.call)).toEqual(['', '', '暂不支持在线预览，可以下载后查看'])
})

test('content that failed with one extension is converted again with another', async () => {
  const content = makePdf({ title: '换名' })
  const wrong = await publishDocument(site, { name: '换名.docx', content })
  await site.runDueJobs()
  expect(await documentRow(site, wrong.id)).toMatchObject({ status: DocumentStatus.Failed })
  const right = await publishDocument(site, { name: '换名.pdf', content })
  await site.runDueJobs()
  expect(await documentRow(site, right.id)).toMatchObject({ status: DocumentStatus.Converted, pages: 1 })
  expect(await documentRow(site, wrong.id)).toMatchObject({ status: DocumentStatus.Converted, pages: 1 })
})

test('a document with more pages than allowed fails with its own reason', async () => {
  await site.configure({ 'converter.max_pages': '3' })
  const { id, hash } = await publishDocument(site, { name: '厚.pdf', content: makePdf({ title: '厚', pages: 4 }) })
  await site.runDueJobs()
  await site.configure({ 'converter.max_pages': '20000' })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Failed })
  expect(await renditionRow(site, hash)).toMatchObject({ reason: 'tooManyPages', detail: '4 pages' })
})

test('a timeout is retried once', async () => {
  const { id, hash } = await publishDocument(site, { name: '慢.pdf', content: makePdf({ title: '慢' }) })
  const ctx = await contextWithConverter(site, {
    open: () => Promise.reject(new Unconvertible('timeout', 'slow\0program')),
  })
  await expect(conversions.convertBy(ctx, hash, { attempt: 1 })).rejects.toThrow(RetryLast)
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Pending })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'waiting', reason: 'timeout', detail: 'slowprogram' })
  await conversions.convertBy(ctx, hash, { attempt: 2 })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Failed })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', reason: 'timeout' })
})

test('an unexpected error counts as a crash', async () => {
  const { id, hash } = await publishDocument(site, { name: '怪.pdf', content: makePdf({ title: '怪' }) })
  const ctx = await contextWithConverter(site, { open: () => Promise.reject(new TypeError('boom')) })
  await conversions.convertBy(ctx, hash, { attempt: 5, last: true })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Failed })
  expect(await renditionRow(site, hash)).toMatchObject({ reason: 'crashed', detail: 'TypeError: boom' })
})

test('without a converter or disk space a document waits, and is retried later or at the next start', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  for (const [error, reason] of [
    [new Unconvertible('noTool'), 'noTool'],
    [full, 'diskFull'],
  ] as const) {
    const { id, hash } = await publishDocument(site, { name: `${reason}.txt`, content: makeText(1) + reason })
    await leaseToDeadWorker(site, hash)
    const ctx = await contextWithConverter(site, { prepare: () => Promise.reject(error) })
    await conversions.convertBy(ctx, hash, { attempt: 5, last: true })
    await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).where('state', '=', 'running').execute()
    expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Pending })
    expect(await renditionRow(site, hash)).toMatchObject({ state: 'waiting', reason })
    const [job] = await findJobs(hash)
    expect((job?.run_at ?? 0) - ctx.now()).toBeGreaterThan(9 * 60_000)
    // A worker that starts retries it without waiting for the ten minutes.
    const worker = site.app.work()
    await expect
      .poll(async () => (await documentRow(site, id)).status, { timeout: 15_000 })
      .toBe(DocumentStatus.Converted)
    await worker.stop()
    expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', reason: '' })
  }
})

test('a stopping worker releases its conversion at once', async () => {
  const { id, hash } = await publishDocument(site, { name: '停.pdf', content: makePdf({ title: '停' }) })
  await leaseToDeadWorker(site, hash)
  const stop = new AbortController()
  const ctx = await contextWithConverter(site, {
    prepare: () => {
      stop.abort()
      return new Promise(() => {})
    },
  })
  await conversions.convertBy(ctx, hash, { signal: stop.signal })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Pending })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'waiting' })
  expect((await findJobs(hash)).filter(({ state }) => state === 'waiting')).toHaveLength(1)
  await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).where('state', '=', 'running').execute()
  await site.runDueJobs()
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted })
})

const stages = ['probe', 'prepare', 'open', 'renderPage', 'renderCover'] as const
test.each(stages)('after a worker was killed in “%s” the next worker completes the conversion', async (stage) => {
  const { id, hash } = await publishDocument(site, { name: `${stage}.txt`, content: `${makeText(2)}${stage}` })
  await leaseToDeadWorker(site, hash)
  const reached = Promise.withResolvers<void>()
  const hung = Promise.withResolvers<void>()
  const killed = await site.app.context()
  const converter = { ...killed.converter }
  const real: (...args: never[]) => Promise<unknown> = converter[stage]
  const hang = async (...args: never[]) => {
    reached.resolve()
    await hung.promise
    return real(...args)
  }
  Object.assign(converter, { [stage]: hang })
  const zombie = conversions.convertBy({ ...killed, converter }, hash)
  await reached.promise
  site.advanceClock(70_000)
  await site.runDueJobs()
  const rendition = await renditionRow(site, hash)
  expect(rendition).toMatchObject({ state: 'done', has_cover: 1, text_pages: rendition.pages })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted, pages: rendition.pages })
  // The first worker resumes without its lease, and leaves nothing behind.
  hung.resolve()
  await zombie
  await site.runDueJobs()
  const after = await renditionRow(site, hash)
  expect({ ...after, updated_at: 0 }).toEqual({ ...rendition, updated_at: 0 })
  const revisions = new Set((await listRenditionFiles(site, hash)).map((key) => key.split('/')[4]))
  expect([...revisions]).toEqual([String(rendition.revision)])
})

test('text extraction continues after its worker was killed, without extracting a page twice', async () => {
  const { hash } = await publishDocument(site, { name: '读.pdf', content: makePdf({ title: '读', pages: 130 }) })
  await conversions.convertBy(await site.app.context(), hash)
  const { revision } = await renditionRow(site, hash)
  await site.db
    .updateTable('job')
    .set({ state: 'running', worker: 'dead', lease_until: clock() + 60_000 })
    .where('key', '=', `extract-text:${hash}:${revision}`)
    .execute()
  let slices = 0
  const killed = await contextWithConverter(site, {
    extractLines: async (...args) => {
      slices += 1
      if (slices === 3) throw new Error('killed')
      return (await site.app.context()).converter.extractLines(...args)
    },
  })
  const batch = { hash, revision, from: 1, failures: 0 }
  await expect(extractTextBatch(killed, { batch, owner: 0, signal: new AbortController().signal })).rejects.toThrow(
    'killed',
  )
  expect(await renditionRow(site, hash)).toMatchObject({ text_pages: 40 })
  site.advanceClock(70_000)
  await site.runDueJobs()
  const rendition = await renditionRow(site, hash)
  expect(rendition).toMatchObject({ text_pages: 130 })
  expect(rendition.excerpt.match(/读 1\n/g)).toHaveLength(1)
  const texts = await readPageTexts(await site.app.context(), { hash, revision, from: 1, to: 130 })
  expect(texts.map((text) => /^读 (\d+)/.exec(text)?.[1])).toEqual(Array.from({ length: 130 }, (_, n) => String(n + 1)))
})

test('a conversion that crashes its worker each time ends as failed', async () => {
  const { id, hash } = await publishDocument(site, { name: '杀.pdf', content: makePdf({ title: '杀' }) })
  await site.db.updateTable('rendition').set({ state: 'working' }).where('hash', '=', hash).execute()
  await site.db.updateTable('document').set({ status: DocumentStatus.Converting }).where('id', '=', id).execute()
  await site.db
    .updateTable('job')
    .set({ state: 'failed', error: '处理它的进程一再中断', updated_at: clock() + 1 })
    .where('key', '=', `convert:${hash}`)
    .execute()
  await repairAll()
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Failed })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', reason: 'crashed' })
})

test('the repair restores a lost job, and a document that missed the end of its conversion', async () => {
  const lost = await publishDocument(site, { name: '丢.pdf', content: makePdf({ title: '丢' }) })
  await site.db.deleteFrom('job').where('key', '=', `convert:${lost.hash}`).execute()
  await repairAll()
  await site.runDueJobs()
  expect(await documentRow(site, lost.id)).toMatchObject({ status: DocumentStatus.Converted })
  await site.db
    .updateTable('document')
    .set({ status: DocumentStatus.Pending, pages: 0 })
    .where('id', '=', lost.id)
    .execute()
  await repairAll()
  expect(await documentRow(site, lost.id)).toMatchObject({ status: DocumentStatus.Converted, pages: 1 })
})

test('twenty small documents do not wait for the text extraction of a big one', async () => {
  const big = await publishDocument(site, { name: '大.pdf', content: makePdf({ title: '大', pages: 500 }) })
  const small = []
  for (let n = 0; n < 20; n++)
    small.push(await publishDocument(site, { name: `${n}.pdf`, content: makePdf({ title: `小${n}` }) }))
  const worker = site.app.work()
  const ids = small.map(({ id }) => id)
  const ready = () =>
    site.db
      .selectFrom('document')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', DocumentStatus.Converted)
      .execute()
  await expect.poll(async () => (await ready()).length, { timeout: 50_000, interval: 10 }).toBe(20)
  expect((await renditionRow(site, big.hash)).text_pages).toBeLessThan(500)
  await worker.stop()
  await site.runDueJobs()
  expect(await renditionRow(site, big.hash)).toMatchObject({ text_pages: 500 })
}, 120_000)

test('two processes share the work, and each content is converted once', async () => {
  const published = []
  for (let n = 0; n < 6; n++)
    published.push(await publishDocument(site, { name: `${n}.txt`, content: `${makeText(1)}两个${n}` }))
  const otherWorker = (await site.openSecondProcess()).work()
  await site.runDueJobs()
  await otherWorker.stop()
  for (const { id, hash } of published) {
    expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted })
    expect(new Set((await listRenditionFiles(site, hash)).map((key) => key.split('/')[4])).size).toBe(1)
  }
})

test('documents are converted and served from S3 storage', async () => {
  const s3 = await startS3()
  const s3Site = await openSite({ STORAGE_URL: s3.url })
  onTestFinished(async () => {
    await s3Site.close()
    await s3.close()
  })
  const pdf = await publishDocument(s3Site, { name: '远.pdf', content: makePdf({ title: '远', pages: 25 }) })
  const text = await publishDocument(s3Site, { name: '远.txt', content: makeText(1) })
  await s3Site.runDueJobs()
  for (const { id } of [pdf, text]) {
    expect(await documentRow(s3Site, id)).toMatchObject({ status: DocumentStatus.Converted })
    const [progress] = (await s3Site.root.call(documents.progress, { id: [id] })).document
    for (const path of [`page/${progress?.hash}/1.svg`, `text/${progress?.hash}/1.json`, `cover/${progress?.hash}`])
      expect((await s3Site.request(`/view/${path}`)).status, path).toBe(200)
  }
})

test('an error after the pages are published keeps the pages, and the cover is made later', async () => {
  const { id, hash } = await publishDocument(site, { name: '断.txt', content: `${makeText(1)}断` })
  const ctx = await contextWithConverter(site, {
    renderCover: () => {
      throw new Error('connection lost')
    },
  })
  await conversions.convertBy(ctx, hash)
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted })
  expect((await listRenditionFiles(site, hash)).some((key) => key.endsWith('book.epub'))).toBe(true)
  site.advanceClock(20_000)
  await site.runDueJobs()
  expect(await renditionRow(site, hash)).toMatchObject({ has_cover: 1 })
})

test('a failed conversion leaves nothing in the storage', async () => {
  const { hash } = await publishDocument(site, { name: '净.txt', content: `${makeText(1)}净` })
  const ctx = await contextWithConverter(site, { renderPage: () => Promise.reject(new Unconvertible('damaged')) })
  await conversions.convertBy(ctx, hash)
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', reason: 'damaged' })
  expect(await listRenditionFiles(site, hash)).toEqual([])
})

test('a failed conversion with an unexpected source type leaves nothing in the storage', async () => {
  const { hash } = await publishDocument(site, { name: '异.txt', content: `${makeText(1)}异` })
  const real = (await site.app.context()).converter
  const ctx = await contextWithConverter(site, {
    prepare: async (...args) => ({ ...(await real.prepare(...args)), type: 'djvu' as 'pdf' }),
    open: () => Promise.reject(new Unconvertible('damaged')),
  })
  await conversions.convertBy(ctx, hash)
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed' })
  expect(await listRenditionFiles(site, hash)).toEqual([])
})

test.each(['fails', 'is stopped'])(
  'a worker that resumes without its lease and %s does not disturb the next worker',
  async (how) => {
    const { id, hash } = await publishDocument(site, { name: '魂.pdf', content: makePdf({ title: `魂${how}` }) })
    await leaseToDeadWorker(site, hash)
    const [reached, hung, stop] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), new AbortController()]
    const stale = await contextWithConverter(site, {
      open: async () => {
        reached.resolve()
        await hung.promise
        if (how === 'is stopped') stop.abort()
        throw new Unconvertible('damaged')
      },
    })
    const zombie = conversions.convertBy(stale, hash, { signal: stop.signal })
    await reached.promise
    const real = (await site.app.context()).converter
    const next = await contextWithConverter(site, {
      open: async (...args) => {
        hung.resolve()
        await zombie
        expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converting })
        expect(await renditionRow(site, hash)).toMatchObject({ state: 'working', reason: '' })
        return real.open(...args)
      },
    })
    await conversions.convertBy(next, hash)
    expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted, pages: 1 })
    expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', reason: '' })
    expect((await findJobs(hash)).filter(({ state }) => state === 'waiting')).toEqual([])
    await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).execute()
    await site.runDueJobs()
  },
)

test('the abort signal is passed to the converter', async () => {
  const { hash } = await publishDocument(site, { name: '令.pdf', content: makePdf({ title: '令' }) })
  const stop = new AbortController()
  let signal: AbortSignal | undefined
  const ctx = await contextWithConverter(site, {
    prepare: (_source, _probe, _folder, limits) => {
      signal = limits.signal
      stop.abort()
      return new Promise(() => {})
    },
  })
  await conversions.convertBy(ctx, hash, { signal: stop.signal })
  expect(signal?.aborted).toBe(true)
  await site.runDueJobs()
})

test('a conversion that hangs fails after the time limit', async () => {
  const { id, hash } = await publishDocument(site, { name: '挂.pdf', content: makePdf({ title: '挂' }) })
  const ctx = await contextWithConverter(site, { prepare: () => new Promise(() => {}) })
  const settings = { ...ctx.settings, converter: { ...ctx.settings.converter, timeout: 0.002 } }
  await conversions.convertBy({ ...ctx, settings }, hash, { attempt: 2 })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Failed })
  expect(await renditionRow(site, hash)).toMatchObject({ reason: 'timeout' })
})

test('a document whose text cannot be extracted is shown without it, after three attempts', async () => {
  const { id, hash } = await publishDocument(site, { name: '图.pdf', content: makePdf({ title: '图', pages: 200 }) })
  await conversions.convertBy(await site.app.context(), hash)
  const { revision } = await renditionRow(site, hash)
  let attempts = 0
  const ctx = await contextWithConverter(site, {
    extractLines: () => {
      attempts += 1
      return Promise.reject(new Unconvertible('timeout'))
    },
  })
  const batch = { hash, revision, from: 1, failures: 0 }
  await extractTextBatch(ctx, { batch, owner: 0, signal: new AbortController().signal })
  expect(attempts).toBe(3)
  expect(await renditionRow(site, hash)).toMatchObject({ text_pages: 200, excerpt: '' })
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted })
  await site.runDueJobs()
})

test('a stopping worker releases the rest of a text extraction', async () => {
  const { hash } = await publishDocument(site, { name: '停读.pdf', content: makePdf({ title: '停读', pages: 90 }) })
  await conversions.convertBy(await site.app.context(), hash)
  const { revision } = await renditionRow(site, hash)
  await site.db.deleteFrom('job').where('key', '=', `extract-text:${hash}:${revision}`).execute()
  const stop = new AbortController()
  const ctx = await contextWithConverter(site, {
    extractLines: async (source, from, to, options) => {
      if (from > 40) stop.abort()
      return (await site.app.context()).converter.extractLines(source, from, to, options)
    },
  })
  const batch = { hash, revision, from: 1, failures: 0 }
  await extractTextBatch(ctx, { batch, owner: 0, signal: stop.signal })
  expect(await renditionRow(site, hash)).toMatchObject({ text_pages: 40 })
  await site.runDueJobs()
  expect(await renditionRow(site, hash)).toMatchObject({ text_pages: 90 })
})

test('members take turns, however many documents one of them has published', async () => {
  const [busy, idle] = [await site.member(), await site.member()]
  const publish = (owner: { id: number }, title: string) =>
    publishDocument(site, { name: `${title}.pdf`, content: makePdf({ title }), owner })
  for (let n = 1; n <= 4; n++) await publish(busy, `忙${n}`)
  await publish(idle, '闲')
  const waiting = await site.db
    .selectFrom('job')
    .innerJoin('document', (join) =>
      join.on('job.key', '=', jobKeySql('renditions.convert', { hash: 'document.hash' })),
    )
    .select('document.title')
    .where('job.state', '=', 'waiting')
    .orderBy('job.round')
    .orderBy('job.id')
    .execute()
  expect(waiting.map(({ title }) => title)).toEqual(['忙1.pdf', '闲.pdf', '忙2.pdf', '忙3.pdf', '忙4.pdf'])
  await site.runDueJobs()
})

test('new uploads are converted before reconversions and repairs', async () => {
  const old = await publishDocument(site, { name: '旧.pdf', content: makePdf({ title: '旧' }) })
  const stuck = await publishDocument(site, { name: '滞.txt', content: `${makeText(1)}滞` })
  const lost = await publishDocument(site, { name: '失.pdf', content: makePdf({ title: '失' }) })
  await conversions.convertBy(await site.app.context(), old.hash)
  for (const { hash } of [old, stuck, lost])
    await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).execute()
  await site.root.call(documents.reconvert, { id: [old.id] })
  await conversions.convertBy(
    await contextWithConverter(site, { prepare: () => Promise.reject(new Unconvertible('noTool')) }),
    stuck.hash,
  )
  await repairAll()
  const fresh = await publishDocument(site, { name: '新.pdf', content: makePdf({ title: '新' }) })
  const findPriority = async ({ hash }: { hash: string }) => (await findJobs(hash))[0]?.priority
  expect(await Promise.all([old, stuck, lost].map(findPriority))).toEqual([0, 0, 0])
  expect(await findPriority(fresh)).toBeGreaterThan(0)
  await site.runDueJobs()
})

test('work folders of killed conversions are removed after a day', async () => {
  for (const name of ['old', 'new']) await mkdir(join(conversions.workDir, name), { recursive: true })
  await utimes(join(conversions.workDir, 'old'), 1, 1)
  await resumeConversions(await site.app.context(), conversions)
  expect(await readdir(conversions.workDir)).toEqual(['new'])
  await rmdir(join(conversions.workDir, 'new'))
})

test('the work folder is empty in the end', async () => {
  expect(await readdir(conversions.workDir)).toEqual([])
})

async function repairAll(): Promise<void> {
  const ctx = await site.app.context()
  await repairRenditions(ctx, documentsOfRendition)
  await repairDocuments(ctx)
}

function findJobs(hash: string) {
  return site.db.selectFrom('job').selectAll().where('key', '=', `convert:${hash}`).execute()
}
