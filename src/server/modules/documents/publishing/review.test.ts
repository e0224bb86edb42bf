import { RecommendAction } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import type { Web } from '#server/http/pages/render.ts'
import { type DocumentSite, openDocumentSite, type DocumentFixture } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let reviewer: Person
beforeAll(async () => {
  site = await openDocumentSite()
  reviewer = await site.staff('DocumentAPI/CheckDocument', 'DocumentAPI/SetDocumentRecommend')
})
afterAll(() => site.close())

async function addDocument(fixture: DocumentFixture = {}): Promise<number> {
  const [id = 0] = await site.addDocuments(fixture)
  return id
}

function findRow(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('a review', () => {
  const { Pending, Converted, Disabled, InReview, Rejected } = DocumentStatus
  test.each<[DocumentFixture, requested: DocumentStatus, result: DocumentStatus]>([
    [{ status: InReview, pages: 3 }, Pending, Converted],
    [{ status: InReview, pages: 0 }, Pending, Pending],
    [{ status: Rejected, pages: 3 }, Pending, Converted],
    [{ status: Disabled, pages: 3 }, Converted, Converted],
    [{ status: Disabled, pages: 0 }, Converted, Pending],
    [{ status: Converted }, Disabled, Disabled],
    [{ status: Converted }, InReview, InReview],
    [{ status: InReview }, Rejected, Rejected],
    [{ status: Rejected }, InReview, InReview],
    [{ status: Converted }, Pending, Converted],
    [{ status: Disabled }, Disabled, Disabled],
  ])('of %j that requests status %d results in %d', async (fixture, requested, result) => {
    const id = await addDocument(fixture)
    await reviewer.call(documents.review, { id: [id], status: requested })
    expect((await findRow(id)).status).toBe(result)
  })

  test('can have a reason for a rejection, which an approval clears', async () => {
    const owner = await site.member()
    const id = await addDocument({ status: DocumentStatus.InReview, owner })
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Rejected, reason: '与已有文档重复' })
    expect((await owner.call(documents.get, { id })).reject_reason).toBe('与已有文档重复')
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    expect((await owner.call(documents.get, { id })).reject_reason).toBe('')
  })

  test('shows or hides the document at once, and updates the counters', async () => {
    const category = await site.category('审核')
    const owner = await site.member()
    const id = await addDocument({ status: DocumentStatus.InReview, category: [category], owner })
    const counts = async () => {
      const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).executeTakeFirst()
      const user = await site.db.selectFrom('user').select('doc_count').where('id', '=', owner.id).executeTakeFirst()
      return [row?.doc_count, user?.doc_count]
    }
    expect(await counts()).toEqual([0, 0])
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    expect(await counts()).toEqual([1, 1])
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    expect(await counts()).toEqual([0, 0])
    expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
  })

  test('invalidates cached pages at once', async () => {
    const web: Web = {
      dev: false,
      async render(_request, { fetch }) {
        const { document } = await client({ fetch, origin: 'http://localhost' })(documents.list)
        const html = document.map(({ title }) => title).join()
        return new Response(html, { headers: { 'content-type': 'text/html' } })
      },
    }
    const otherSite = await openDocumentSite({}, { web })
    const [id = 0] = await otherSite.addDocuments({ title: '机密' })
    expect((await otherSite.send('GET', '/')).text).toContain('机密')
    await otherSite.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    expect((await otherSite.send('GET', '/')).text).not.toContain('机密')
    await otherSite.close()
  })

  test('that approves a document whose conversion failed sets it to failed', async () => {
    const id = await addDocument({
      status: DocumentStatus.InReview,
      pages: 0,
      failure: { reason: 'encrypted', detail: '' },
    })
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    expect((await findRow(id)).status).toBe(DocumentStatus.Failed)
  })

  test('that approves a failed document retries its conversion', async () => {
    const id = await addDocument({ status: DocumentStatus.Failed, failure: { reason: 'timeout', detail: '' } })
    await reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    const { status, hash } = await findRow(id)
    expect(status).toBe(DocumentStatus.Pending)
    const jobs = await site.db
      .selectFrom('job')
      .select('payload')
      .where('kind', 'like', 'renditions.convert%')
      .execute()
    expect(jobs.filter(({ payload }) => payload.includes(hash))).toHaveLength(1)
  })

  test('that one of the documents does not allow is refused for all', async () => {
    const [inReview, disabled] = await site.addDocuments(
      { status: DocumentStatus.InReview },
      { status: DocumentStatus.Disabled },
    )
    const both = reviewer.call(documents.review, { id: [inReview ?? 0, disabled ?? 0], status: DocumentStatus.Pending })
    expect(await refusal(both)).toMatchObject({ status: 400, message: expect.stringContaining('已禁用') })
    expect((await findRow(inReview ?? 0)).status).toBe(DocumentStatus.InReview)
    const invalid = reviewer.call(documents.review, { id: [inReview ?? 0], status: DocumentStatus.Failed })
    expect(await refusal(invalid)).toMatchObject({ status: 400 })
  })

  test('leaves the recycle bin alone', async () => {
    const id = await addDocument({ status: DocumentStatus.InReview, deleted_at: 1 })
    expect(await refusal(reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending }))).toMatchObject({
      status: 404,
    })
    expect((await findRow(id)).status).toBe(DocumentStatus.InReview)
  })

  test('several times concurrently counts once', async () => {
    const category = await site.category('同时')
    const id = await addDocument({ status: DocumentStatus.InReview, category: [category] })
    const approve = () => reviewer.call(documents.review, { id: [id], status: DocumentStatus.Pending })
    await Promise.allSettled(Array.from({ length: 4 }, approve))
    const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).executeTakeFirst()
    expect(row?.doc_count).toBe(1)
  })
})

test('a recommendation is set, renewed and withdrawn', async () => {
  site.freezeClock()
  const id = await addDocument()
  const stamp = async (type: RecommendAction) => {
    site.advanceClock(1000)
    await reviewer.call(documents.recommend, { id: [id], type })
    return (await site.call(documents.get, { id })).recommend_at
  }
  const first = await stamp(RecommendAction.Recommend)
  expect(first).toBeGreaterThan(0)
  expect(await stamp(RecommendAction.Recommend)).toBe(first)
  const renewed = await stamp(RecommendAction.Renew)
  expect(renewed).toBeGreaterThan(first ?? 0)
  expect(await stamp(RecommendAction.Withdraw)).toBeNull()
})
