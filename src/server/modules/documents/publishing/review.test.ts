import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import type { Web } from '#server/http/pages/page-cache.ts'
import { type Library, openLibrary, type Volume } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Library
let judge: Person
beforeAll(async () => {
  site = await openLibrary()
  judge = await site.staff('DocumentAPI/CheckDocument', 'DocumentAPI/SetDocumentRecommend')
})
afterAll(() => site.close())

async function shelved(volume: Volume = {}): Promise<number> {
  const [id = 0] = await site.shelve(volume)
  return id
}

function rowOf(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('a judgement', () => {
  test.each([
    [{ status: 6, pages: 3 }, 0, 2],
    [{ status: 6, pages: 0 }, 0, 0],
    [{ status: 7, pages: 3 }, 0, 2],
    [{ status: 4, pages: 3 }, 2, 2],
    [{ status: 4, pages: 0 }, 2, 0],
    [{ status: 2 }, 4, 4],
    [{ status: 2 }, 6, 6],
    [{ status: 6 }, 7, 7],
    [{ status: 7 }, 6, 6],
    [{ status: 2 }, 0, 2],
    [{ status: 4 }, 4, 4],
  ])('on %j that wishes for %d leads to %d', async (volume, wish, status) => {
    const id = await shelved(volume)
    await judge.call(documents.check, { id: [id], status: wish })
    expect((await rowOf(id)).status).toBe(status)
  })

  test('may say why it rejects, and an approval forgets that', async () => {
    const owner = await site.member()
    const id = await shelved({ status: 6, owner })
    await judge.call(documents.check, { id: [id], status: 7, reason: '与已有文档重复' })
    expect((await owner.call(documents.get, { id })).reject_reason).toBe('与已有文档重复')
    await judge.call(documents.check, { id: [id], status: 0 })
    expect((await owner.call(documents.get, { id })).reject_reason).toBe('')
  })

  test('shows or hides it at once, with the counts', async () => {
    const category = await site.category('审核')
    const owner = await site.member()
    const id = await shelved({ status: 6, category: [category], owner })
    const counts = async () => {
      const held = await site.db
        .selectFrom('category')
        .select('doc_count')
        .where('id', '=', category)
        .executeTakeFirst()
      const user = await site.db.selectFrom('user').select('doc_count').where('id', '=', owner.id).executeTakeFirst()
      return [held?.doc_count, user?.doc_count]
    }
    expect(await counts()).toEqual([0, 0])
    await judge.call(documents.check, { id: [id], status: 0 })
    expect(await counts()).toEqual([1, 1])
    await judge.call(documents.check, { id: [id], status: 4 })
    expect(await counts()).toEqual([0, 0])
    expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
  })

  test('is seen on pages that were kept, at once', async () => {
    const web: Web = {
      dev: false,
      async render(_request, { fetch }) {
        const { document } = await client({ fetch, origin: 'http://localhost' })(documents.list)
        const html = document.map(({ title }) => title).join()
        return new Response(html, { headers: { 'content-type': 'text/html' } })
      },
    }
    const library = await openLibrary({}, { web })
    const [id = 0] = await library.shelve({ title: '机密' })
    expect((await library.send('GET', '/')).text).toContain('机密')
    await library.root.call(documents.check, { id: [id], status: 4 })
    expect((await library.send('GET', '/')).text).not.toContain('机密')
    await library.close()
  })

  test('approves what could not be converted as what it is', async () => {
    const id = await shelved({ status: 6, pages: 0, failure: { reason: 'encrypted', detail: '' } })
    await judge.call(documents.check, { id: [id], status: 0 })
    expect((await rowOf(id)).status).toBe(3)
  })

  test('that approves a failed one has it tried again', async () => {
    const id = await shelved({ status: 3, failure: { reason: 'timeout', detail: '' } })
    await judge.call(documents.check, { id: [id], status: 0 })
    const { status, hash } = await rowOf(id)
    expect(status).toBe(0)
    const jobs = await site.db.selectFrom('job').select('payload').where('kind', 'like', 'document.convert%').execute()
    expect(jobs.filter(({ payload }) => payload.includes(hash))).toHaveLength(1)
  })

  test('that makes no sense for one of them is refused for all', async () => {
    const [waiting, disabled] = await site.shelve({ status: 6 }, { status: 4 })
    const both = judge.call(documents.check, { id: [waiting ?? 0, disabled ?? 0], status: 0 })
    expect(await refusal(both)).toMatchObject({ status: 400, message: expect.stringContaining('已禁用') })
    expect((await rowOf(waiting ?? 0)).status).toBe(6)
    const odd = judge.call(documents.check, { id: [waiting ?? 0], status: 3 })
    expect(await refusal(odd)).toMatchObject({ status: 400 })
  })

  test('leaves the recycle bin alone', async () => {
    const id = await shelved({ status: 6, deleted_at: 1 })
    expect(await refusal(judge.call(documents.check, { id: [id], status: 0 }))).toMatchObject({ status: 404 })
    expect((await rowOf(id)).status).toBe(6)
  })

  test('at the same moment by several counts once', async () => {
    const category = await site.category('同时')
    const id = await shelved({ status: 6, category: [category] })
    await Promise.allSettled([0, 0, 0, 0].map((status) => judge.call(documents.check, { id: [id], status })))
    const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).executeTakeFirst()
    expect(row?.doc_count).toBe(1)
  })
})

test('a recommendation is set once, renewed, and taken back', async () => {
  site.holdClock()
  const id = await shelved()
  const stamp = async (type: number) => {
    site.pass(1000)
    await judge.call(documents.recommend, { id: [id], type })
    return (await site.call(documents.get, { id })).recommend_at
  }
  const first = await stamp(1)
  expect(first).toBeGreaterThan(0)
  expect(await stamp(1)).toBe(first)
  const renewed = await stamp(2)
  expect(renewed).toBeGreaterThan(first ?? 0)
  expect(await stamp(0)).toBeNull()
})
