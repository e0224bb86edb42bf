import { DocumentStatus } from '#shared/document-status.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type Converter, type RenderSource, Unconvertible } from '#server/convert/converter.ts'
import { makeEpub } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { publishDocument, documentRow, renditionRow } from '#server/testing/publish-document.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import {
  contextWithConverter,
  listRenditionFiles,
  openConversionSite,
  leaseToDeadWorker,
} from '#server/testing/conversion-site.ts'
import { repairRenditions } from '#server/modules/renditions/repair.ts'
import { documentsOfRendition } from './documents.observer.ts'

let site: Site
const conversions = openConversionSite()
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
afterAll(() => conversions.close())

test('the first pages of a long document are available while the rest is converted', async () => {
  const content = makeDocx({ title: '长文' })
  const { id, hash } = await publishDocument(site, { name: '长文.docx', content })
  const whole = Promise.withResolvers<void>()
  const converting = conversions.convertBy(
    await contextWithConverter(site, { prepare: inTwoSteps(whole.promise) }),
    hash,
  )
  const early = await waitForFirstPage(id)
  expect(early).toMatchObject({ status: DocumentStatus.Converting, pages: 0, first: 3 })
  expect(await site.call(documents.layout, { id })).toMatchObject({ pages: 3, preview: 3 })
  expect(await pageStatus(early.hash, 3)).toBe(200)
  expect(await pageStatus(early.hash, 4)).toBe(404)
  // They do not count as pages yet: another document with the same content waits as well.
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converting, pages: 0 })
  const duplicate = await publishDocument(site, { name: '同文.docx', content })
  expect(await documentRow(site, duplicate.id)).toMatchObject({ status: DocumentStatus.Pending, pages: 0 })
  whole.resolve()
  await converting
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Converted, pages: 20 })
  expect(await documentRow(site, duplicate.id)).toMatchObject({ status: DocumentStatus.Converted, pages: 20 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', is_partial: 0, pages: 20 })
  expect((await findProgress(id)).first).toBe(0)
  // The address of the first page still works.
  expect(await pageStatus(early.hash, 1)).toBe(200)
  await site.runDueJobs()
  expect(revisionsIn(await listRenditionFiles(site, hash))).toHaveLength(1)
})

test('the preview limit applies to the first pages too', async () => {
  await site.configure({ 'converter.max_preview_percent': '34' })
  const { id, hash } = await publishDocument(site, { name: '限.docx', content: makeDocx({ title: '限' }) })
  const whole = Promise.withResolvers<void>()
  const converting = conversions.convertBy(
    await contextWithConverter(site, { prepare: inTwoSteps(whole.promise) }),
    hash,
  )
  const early = await waitForFirstPage(id)
  expect(early.first).toBe(2)
  expect([await pageStatus(early.hash, 2), await pageStatus(early.hash, 3)]).toEqual([200, 403])
  whole.resolve()
  await converting
  await site.configure({ 'converter.max_preview_percent': '100' })
})

test('the first pages of a document that fails are removed', async () => {
  const { id, hash } = await publishDocument(site, { name: '坏.docx', content: makeDocx({ title: '坏' }) })
  const whole = Promise.withResolvers<void>()
  const ctx = await contextWithConverter(site, { prepare: inTwoSteps(whole.promise) })
  const converting = conversions.convertBy(ctx, hash, { last: true })
  const early = await waitForFirstPage(id)
  whole.reject(new Unconvertible('damaged'))
  await converting
  expect(await documentRow(site, id)).toMatchObject({ status: DocumentStatus.Failed, pages: 0 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', pages: 0, is_partial: 0 })
  expect(await pageStatus(early.hash, 1)).toBe(404)
  expect(await listRenditionFiles(site, hash)).toEqual([])
})

test('a conversion killed after the first pages is resumed; if it fails for good, they are removed', async () => {
  for (const survives of [true, false]) {
    const title = `断${survives}`
    const { id, hash } = await publishDocument(site, { name: `${title}.docx`, content: makeDocx({ title }) })
    await leaseToDeadWorker(site, hash)
    const whole = Promise.withResolvers<void>()
    const ctx = await contextWithConverter(site, { prepare: inTwoSteps(whole.promise) })
    const zombie = conversions.convertBy(ctx, hash)
    await waitForFirstPage(id)
    if (survives) {
      site.advanceClock(70_000)
      await site.runDueJobs()
      expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', is_partial: 0 })
    } else {
      const failed = { state: 'failed', error: 'killed', updated_at: (await site.app.context()).now() + 1 } as const
      await site.db.updateTable('job').set(failed).where('key', '=', `convert:${hash}`).execute()
      await repairRenditions(await site.app.context(), documentsOfRendition)
      expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', pages: 0, is_partial: 0 })
    }
    whole.resolve()
    await zombie
    expect((await renditionRow(site, hash)).state).toBe(survives ? 'done' : 'failed')
  }
})

test.each([
  { name: '长篇.txt', content: makeText(3) },
  { name: '大部头.epub', content: makeEpub({ title: '大部头', chapters: 220 }) },
])('the first page of $name is available before all pages are counted', async (book) => {
  const { id, hash } = await publishDocument(site, book)
  const counted = Promise.withResolvers<void>()
  const { converter } = await site.app.context()
  const open: Converter['open'] = async (...args) => {
    await counted.promise
    return converter.open(...args)
  }
  const converting = conversions.convertBy(await contextWithConverter(site, { open }), hash)
  const early = await waitForFirstPage(id)
  expect(early).toMatchObject({ status: DocumentStatus.Converting, pages: 0, first: 1 })
  expect(await pageStatus(early.hash, 1)).toBe(200)
  counted.resolve()
  await converting
  const { pages, status } = await documentRow(site, id)
  expect(status).toBe(DocumentStatus.Converted)
  expect(pages).toBeGreaterThan(1)
  expect(await findProgress(id)).toMatchObject({ first: 0, hash: early.hash })
})

test('a document that has pages keeps them during a reconversion', async () => {
  const { id, hash } = await publishDocument(site, { name: '旧.docx', content: makeDocx({ title: '旧', pages: 4 }) })
  await site.runDueJobs()
  const before = await findProgress(id)
  await site.root.call(documents.reconvert, { id: [id] })
  let onFirstPages: unknown = 'not called'
  const ctx = await contextWithConverter(site, {
    prepare: (_source, _probe, _folder, limits) => {
      onFirstPages = limits.onFirstPages
      return Promise.reject(new Unconvertible('damaged'))
    },
  })
  await conversions.convertBy(ctx, hash, { last: true })
  expect(onFirstPages).toBeUndefined()
  expect((await findProgress(id)).pages).toBe(before.pages)
})

/** Three pages at once, twenty when `whole` resolves. */
function inTwoSteps(whole: Promise<void>): Converter['prepare'] {
  return async (_source, _probe, folder, { onFirstPages }) => {
    const writePages = async (name: string, pages: number): Promise<RenderSource> => {
      const path = join(folder, name)
      await writeFile(path, makePdf({ title: name, pages }))
      return { path, type: 'pdf' }
    }
    onFirstPages?.(await writePages('first.pdf', 3))
    await whole
    return writePages('whole.pdf', 20)
  }
}

async function findProgress(id: number) {
  const { document } = await site.call(documents.progress, { id: [id] })
  const [progress] = document
  if (!progress) throw new Error(`no progress of ${id}`)
  return progress
}

async function waitForFirstPage(id: number) {
  await expect.poll(async () => (await findProgress(id)).first, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0)
  return findProgress(id)
}

async function pageStatus(key: string, page: number): Promise<number> {
  return (await site.request(`/view/page/${key}/${page}.svg`)).status
}

function revisionsIn(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => key.split('/')[4] ?? ''))]
}
