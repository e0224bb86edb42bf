import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { enqueue } from '#server/jobs.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'
import { sha256, uploadForm } from '#server/testing/upload.ts'
import { readPageTexts } from './page-text.ts'

const hour = 60 * 60_000

let site: DocumentSite
let author: Person
beforeAll(async () => {
  site = await openDocumentSite()
  author = await site.author()
})
afterAll(() => site.close())

/** Uploads a PDF of two pages, and waits until its conversion is requested. */
async function upload(title: string): Promise<{ id: number; hash: string }> {
  const bytes = Uint8Array.from(makePdf({ title, pages: 2 }))
  const hash = sha256(bytes)
  const { id } = await uploadForm(site, author, { name: `${title}.pdf`, bytes })
  await expect.poll(() => findRendition(hash)).toBeDefined()
  return { id, hash }
}

function findRendition(hash: string) {
  return site.db.selectFrom('rendition').selectAll().where('hash', '=', hash).executeTakeFirst()
}

async function storedPages(hash: string): Promise<string[]> {
  const { storage } = await site.app.context()
  const keys: string[] = []
  for await (const { key } of storage.list('renditions/')) if (key.includes(hash)) keys.push(key)
  return keys
}

describe('an uploaded file', () => {
  test('is converted before it is published, in the place of its member, and its document is ready at once', async () => {
    const { id, hash } = await upload('先转换')
    const job = await site.db
      .selectFrom('job')
      .select(['owner', 'priority'])
      .where('payload', 'like', `%${hash}%`)
      .executeTakeFirst()
    expect(job).toEqual({ owner: author.id, priority: JobPriority.Upload })
    await site.runDueJobs()
    expect(await findRendition(hash)).toMatchObject({ state: 'done', pages: 2 })

    const { document } = await author.call(documents.create, { document: [{ attachment_id: id }] })
    expect(document).toMatchObject([{ status: DocumentStatus.Converted }])
    const published = await site.call(documents.get, { id: document[0]?.id ?? 0 })
    expect(published).toMatchObject({ pages: 2, preview: 2 })
    expect((await site.request(`/view/page/${published.attachment.hash}/1.svg`)).status).toBe(200)
  })

  test('is not found by visitors, members or staff before it is published', async () => {
    const words = '琉璃窑火候记'
    const bytes = Uint8Array.from(makePdf({ title: '未发布', text: () => [words] }))
    const { id } = await uploadForm(site, author, { name: '未发布.pdf', bytes })
    await expect.poll(() => findRendition(sha256(bytes))).toBeDefined()
    await site.runDueJobs()
    expect(await findRendition(sha256(bytes))).toMatchObject({ state: 'done', text_pages: 1 })
    const others = [site.call, (await site.member()).call, site.root.call]
    const titles = async (call: Person['call']) => {
      const found = await call(searches.documents, { wd: words })
      const listed = await call(documents.list, {})
      return [...found.document, ...listed.document].map(({ title }) => title).filter((title) => title === '未发布')
    }
    for (const call of others) expect(await titles(call)).toEqual([])
    await author.call(documents.create, { document: [{ attachment_id: id }] })
    await site.runDueJobs()
    for (const call of others) expect(await titles(call)).toEqual(['未发布', '未发布'])
  })

  test('that is never published loses its pages with its content', async () => {
    const { hash } = await upload('没发布')
    await site.runDueJobs()
    expect(await storedPages(hash)).not.toEqual([])
    for (const wait of [25, 25, 3]) {
      site.advanceClock(wait * hour)
      await enqueue(await site.app.context(), 'attachments.sweep', {})
      await site.runDueJobs()
    }
    expect(await findRendition(hash)).toBeUndefined()
    expect(await storedPages(hash)).toEqual([])
  })

  test('of a content whose conversion has failed is tried again only when it is published', async () => {
    const { hash } = await upload('坏文件')
    await site.runDueJobs()
    await site.db.updateTable('rendition').set({ state: 'failed' }).where('hash', '=', hash).execute()
    const again = await upload('坏文件')
    await site.runDueJobs()
    expect(await findRendition(hash)).toMatchObject({ state: 'failed' })
    await author.call(documents.create, { document: [{ attachment_id: again.id }] })
    await site.runDueJobs()
    expect(await findRendition(hash)).toMatchObject({ state: 'done' })
  })

  test('is converted by the extension that it is published with, not by that of an earlier upload', async () => {
    const bytes = new Uint8Array(Buffer.from('# 窑火\n\n**火候**是关键。'))
    const hash = sha256(bytes)
    const publish = async (name: string) => {
      const { id } = await uploadForm(site, author, { name, bytes })
      const { document } = await author.call(documents.create, { document: [{ attachment_id: id }] })
      await site.runDueJobs()
      return document[0]?.status
    }
    const textOfPage = async () => {
      const { revision = 0 } = (await findRendition(hash)) ?? {}
      const [text] = await readPageTexts(await site.app.context(), { hash, revision, from: 1, to: 1 })
      return text
    }
    await uploadForm(site, author, { name: '窑火.txt', bytes })
    await expect.poll(() => findRendition(hash)).toBeDefined()
    await site.runDueJobs()
    expect(await textOfPage()).toContain('**')
    expect(await publish('窑火.md')).toBe(DocumentStatus.Pending)
    expect(await findRendition(hash)).toMatchObject({ ext: '.md', state: 'done' })
    expect(await textOfPage()).not.toContain('**')
    // Readers of the first document keep its pages.
    expect(await publish('窑火.txt')).toBe(DocumentStatus.Converted)
    expect(await findRendition(hash)).toMatchObject({ ext: '.md', state: 'done' })
  })

  test('waits in the queue of the extension that it is published with', async () => {
    const bytes = new Uint8Array(Buffer.from('编号,温度\n1,1200'))
    const hash = sha256(bytes)
    const jobs = () =>
      site.db.selectFrom('job').select(['kind', 'state']).where('payload', 'like', `%${hash}%`).execute()
    await uploadForm(site, author, { name: '窑温.txt', bytes })
    await expect.poll(jobs).toEqual([{ kind: 'renditions.convert', state: 'waiting' }])
    const { id } = await uploadForm(site, author, { name: '窑温.csv', bytes })
    await author.call(documents.create, { document: [{ attachment_id: id }] })
    expect(await jobs()).toEqual([{ kind: 'renditions.convert-office', state: 'waiting' }])
    expect(await findRendition(hash)).toMatchObject({ ext: '.csv', state: 'waiting' })
  })

  test('whose conversion is running is converted again if it is published with another extension', async () => {
    const bytes = new Uint8Array(Buffer.from('# 釉色\n\n**釉色**由浅入深。'))
    const hash = sha256(bytes)
    await uploadForm(site, author, { name: '釉色.txt', bytes })
    await expect.poll(() => findRendition(hash)).toBeDefined()
    await site.db.updateTable('rendition').set({ state: 'working', lease_id: 'w' }).where('hash', '=', hash).execute()
    await site.db.updateTable('job').set({ state: 'running' }).where('payload', 'like', `%${hash}%`).execute()
    const { id } = await uploadForm(site, author, { name: '釉色.md', bytes })
    await author.call(documents.create, { document: [{ attachment_id: id }] })
    expect(await findRendition(hash)).toMatchObject({ ext: '.md', state: 'waiting' })
    await site.runDueJobs()
    expect(await findRendition(hash)).toMatchObject({ ext: '.md', state: 'done' })
  })

  test('that another member publishes first waits in the place of that member', async () => {
    const mine = await upload('第一份')
    const shared = await upload('第二份')
    const other = await site.author()
    const { id } = await uploadForm(site, other, {
      name: '第二份.pdf',
      bytes: Uint8Array.from(makePdf({ title: '第二份', pages: 2 })),
    })
    const place = (hash: string) =>
      site.db
        .selectFrom('job')
        .select(['owner', 'round'])
        .where('payload', 'like', `%${hash}%`)
        .executeTakeFirstOrThrow()
    const first = await place(mine.hash)
    expect(await place(shared.hash)).toEqual({ owner: author.id, round: first.round + 1 })
    await other.call(documents.create, { document: [{ attachment_id: id }] })
    expect(await place(shared.hash)).toEqual({ owner: other.id, round: first.round })
    await site.runDueJobs()
  })
})
