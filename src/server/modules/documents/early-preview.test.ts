import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type Converter, type Prepared, Unconvertible } from '#server/convert/converter.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeText } from '#server/samples/text.ts'
import { makeDocx } from '#server/samples/word.ts'
import { bring, documentRow, renditionRow } from '#server/testing/converting.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { contextWith, keptOf, openWorkshop, takeJob } from '#server/testing/conversion-site.ts'
import { mend } from '#server/modules/renditions/repair.ts'

let site: Site
const shop = openWorkshop()
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
afterAll(() => shop.close())

test('the first pages of a long document are shown while the others are made', async () => {
  const content = makeDocx({ title: '长文' })
  const { id, hash } = await bring(site, { name: '长文.docx', content })
  const whole = Promise.withResolvers<void>()
  const converting = shop.convertBy(await contextWith(site, { prepare: inTwoSteps(whole.promise) }), hash)
  const early = await shown(id)
  expect(early).toMatchObject({ status: 1, pages: 0, first: 3 })
  expect(await site.call(documents.plan, { id })).toMatchObject({ pages: 3, preview: 3 })
  expect(await pageStatus(early.hash, 3)).toBe(200)
  expect(await pageStatus(early.hash, 4)).toBe(404)
  // They are nobody's pages yet: lists do not count them, and who brings the same now waits as well.
  expect(await documentRow(site, id)).toMatchObject({ status: 1, pages: 0 })
  const other = await bring(site, { name: '同文.docx', content })
  expect(await documentRow(site, other.id)).toMatchObject({ status: 0, pages: 0 })
  whole.resolve()
  await converting
  expect(await documentRow(site, id)).toMatchObject({ status: 2, pages: 20 })
  expect(await documentRow(site, other.id)).toMatchObject({ status: 2, pages: 20 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', partial: 0, pages: 20 })
  expect((await progressOf(id)).first).toBe(0)
  // The address of the first page goes on working.
  expect(await pageStatus(early.hash, 1)).toBe(200)
  await site.settle()
  expect(revisionsIn(await keptOf(site, hash))).toHaveLength(1)
})

test('visitors see no more of them than of any document', async () => {
  await site.configure({ 'converter.max_preview_percent': '34' })
  const { id, hash } = await bring(site, { name: '限.docx', content: makeDocx({ title: '限' }) })
  const whole = Promise.withResolvers<void>()
  const converting = shop.convertBy(await contextWith(site, { prepare: inTwoSteps(whole.promise) }), hash)
  const early = await shown(id)
  expect(early.first).toBe(2)
  expect([await pageStatus(early.hash, 2), await pageStatus(early.hash, 3)]).toEqual([200, 403])
  whole.resolve()
  await converting
  await site.configure({ 'converter.max_preview_percent': '100' })
})

test('a document that fails after all takes its first pages back', async () => {
  const { id, hash } = await bring(site, { name: '坏.docx', content: makeDocx({ title: '坏' }) })
  const whole = Promise.withResolvers<void>()
  const ctx = await contextWith(site, { prepare: inTwoSteps(whole.promise) })
  const converting = shop.convertBy(ctx, hash, { last: true })
  const early = await shown(id)
  whole.reject(new Unconvertible('damaged'))
  await converting
  expect(await documentRow(site, id)).toMatchObject({ status: 3, pages: 0 })
  expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', pages: 0, partial: 0 })
  expect(await pageStatus(early.hash, 1)).toBe(404)
  expect(await keptOf(site, hash)).toEqual([])
})

test('a worker killed after the first pages is followed by another; one that always dies takes them back', async () => {
  for (const survives of [true, false]) {
    const title = `断${survives}`
    const { id, hash } = await bring(site, { name: `${title}.docx`, content: makeDocx({ title }) })
    await takeJob(site, hash)
    const whole = Promise.withResolvers<void>()
    const ctx = await contextWith(site, { prepare: inTwoSteps(whole.promise) })
    const zombie = shop.convertBy(ctx, hash)
    await shown(id)
    if (survives) {
      site.pass(70_000)
      await site.settle()
      expect(await renditionRow(site, hash)).toMatchObject({ state: 'done', partial: 0 })
    } else {
      const failed = { state: 'failed', error: 'killed', updated_at: (await site.app.context()).now() + 1 } as const
      await site.db.updateTable('job').set(failed).where('key', '=', `convert:${hash}`).execute()
      await mend(await site.app.context())
      expect(await renditionRow(site, hash)).toMatchObject({ state: 'failed', pages: 0, partial: 0 })
    }
    whole.resolve()
    await zombie
    expect((await renditionRow(site, hash)).state).toBe(survives ? 'done' : 'failed')
  }
})

test('the first page of a long book does not wait until all of them are counted', async () => {
  const { id, hash } = await bring(site, { name: '长篇.txt', content: makeText(3) })
  const counted = Promise.withResolvers<void>()
  const { converter } = await site.app.context()
  const open: Converter['open'] = async (...given) => {
    await counted.promise
    return converter.open(...given)
  }
  const converting = shop.convertBy(await contextWith(site, { open }), hash)
  const early = await shown(id)
  expect(early).toMatchObject({ status: 1, pages: 0, first: 1 })
  expect(await pageStatus(early.hash, 1)).toBe(200)
  counted.resolve()
  await converting
  const { pages, status } = await documentRow(site, id)
  expect(status).toBe(2)
  expect(pages).toBeGreaterThan(1)
  expect(await progressOf(id)).toMatchObject({ first: 0, hash: early.hash })
})

test('who has pages already is not shown fewer while they are made anew', async () => {
  const { id, hash } = await bring(site, { name: '旧.docx', content: makeDocx({ title: '旧', pages: 4 }) })
  await site.settle()
  const before = await progressOf(id)
  await site.root.call(documents.reconvert, { id: [id] })
  let offered: unknown = 'not asked'
  const ctx = await contextWith(site, {
    prepare: (_source, _probe, _folder, limits) => {
      offered = limits.onFirstPages
      return Promise.reject(new Unconvertible('damaged'))
    },
  })
  await shop.convertBy(ctx, hash, { last: true })
  expect(offered).toBeUndefined()
  expect((await progressOf(id)).pages).toBe(before.pages)
})

/** Three pages at once, twenty when `whole` is there. */
function inTwoSteps(whole: Promise<void>): Converter['prepare'] {
  return async (_source, _probe, folder, { onFirstPages }) => {
    const made = async (name: string, pages: number): Promise<Prepared> => {
      const path = join(folder, name)
      await writeFile(path, makePdf({ title: name, pages }))
      return { path, type: 'pdf' }
    }
    onFirstPages?.(await made('first.pdf', 3))
    await whole
    return made('whole.pdf', 20)
  }
}

async function progressOf(id: number) {
  const { document } = await site.call(documents.progress, { id: [id] })
  const [progress] = document
  if (!progress) throw new Error(`no progress of ${id}`)
  return progress
}

async function shown(id: number) {
  await expect.poll(async () => (await progressOf(id)).first, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0)
  return progressOf(id)
}

async function pageStatus(key: string, page: number): Promise<number> {
  return (await site.request(`/view/page/${key}/${page}.svg`)).status
}

function revisionsIn(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => key.split('/')[4] ?? ''))]
}
