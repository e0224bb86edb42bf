import { afterEach, beforeEach, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type Library, openLibrary, type Volume } from '#server/testing/document-site.ts'
import { refusal } from '#server/testing/site.ts'
import { indexDocuments } from '#server/modules/search/index-documents.ts'

let site: Library
beforeEach(async () => {
  site = await openLibrary()
})
afterEach(() => site.close())

async function shelved(volume: Volume = {}): Promise<number> {
  const [id = 0] = await site.shelve(volume)
  return id
}

async function related(id: number): Promise<string[]> {
  const { document } = await site.call(documents.related, { id })
  return document.map(({ title }) => title)
}

test('what is alike in words comes first, then what stands beside it, then what is new', async () => {
  const [cooking, driving] = [await site.category('烹饪'), await site.category('驾驶')]
  const id = await shelved({ title: '川菜家常做法大全', keywords: '川菜,家常', category: [cooking] })
  const others = await site.shelve(
    { title: '川菜家常做法图解', category: [driving] },
    { title: '面点', category: [cooking] },
    { title: '发动机', category: [driving] },
    { title: '四川风味', keywords: '川菜,家常', category: [driving] },
  )
  await indexDocuments(await site.app.context(), [id, ...others])
  const titles = await related(id)
  expect(titles.slice(0, 2).toSorted()).toEqual(['四川风味', '川菜家常做法图解'])
  expect(titles.slice(2)).toEqual(['面点', '发动机'])
})

test('what is written on the pages counts, not only what stands on the cover', async () => {
  const about = (subject: string) =>
    Array.from({ length: 5 }, (_, n) => `第 ${n} 节：${subject}的由来，再谈${subject}。`)
  const ids = await site.shelve(
    { title: '甲', texts: about('榫卯结构') },
    { title: '乙', texts: about('潮汐能源') },
    { title: '丙', texts: about('榫卯结构') },
  )
  await indexDocuments(await site.app.context(), ids)
  expect((await related(ids[0] ?? 0))[0]).toBe('丙')
})

test('at most ten, never itself, each with what a list shows', async () => {
  const id = await shelved({ title: '自己' })
  await site.shelve(...Array.from({ length: 15 }, (_, index) => ({ title: `其他 ${index}` })))
  const { document } = await site.call(documents.related, { id })
  expect(document).toHaveLength(10)
  expect(document.map(({ title }) => title)).not.toContain('自己')
  expect(document[0]).toMatchObject({ username: 'admin', attachment: { hash: expect.stringMatching(/^[\w-]{32}$/) } })
})

test('what is hidden later leaves the list at once', async () => {
  const id = await shelved({ title: '自己' })
  const other = await shelved({ title: '同伴' })
  await site.shelve({ title: '待审', status: 6 }, { title: '禁用', status: 4 }, { title: '删除', deleted_at: 1 })
  expect(await related(id)).toEqual(['同伴'])
  await site.root.call(documents.check, { id: [other], status: 4 })
  expect(await related(id)).toEqual([])
})

test('is found out anew after a while, sooner while there is little', async () => {
  const id = await shelved({ title: '自己' })
  await site.shelve({ title: '旧' })
  expect(await related(id)).toEqual(['旧'])
  await site.shelve(...Array.from({ length: 9 }, (_, index) => ({ title: `新 ${index}` })))
  expect(await related(id)).toEqual(['旧'])
  site.pass(3_600_001)
  expect(await related(id)).toHaveLength(10)
  await site.shelve({ title: '自己的续篇，自己' })
  site.pass(3_600_001)
  expect(await related(id)).not.toContain('自己的续篇，自己')
  site.pass(7 * 24 * 3_600_000)
  expect(await related(id)).toContain('自己的续篇，自己')
})

test('0 days switch it off', async () => {
  const id = await shelved()
  await shelved()
  await site.configure({ 'security.document_related_duration': '0' })
  expect(await related(id)).toEqual([])
})

test('of what one cannot see nothing is told', async () => {
  expect(await refusal(site.call(documents.related, { id: await shelved({ status: 6 }) }))).toMatchObject({
    status: 404,
  })
})
