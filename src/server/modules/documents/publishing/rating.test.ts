import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Library
let owner: Person
let people: Person[]
beforeAll(async () => {
  site = await openLibrary()
  owner = await site.member()
  people = []
  for (let each = 0; each < 6; each++) people.push(await site.member())
})
afterAll(() => site.close())

function score(person: Person, document_id: number, given: number) {
  return person.call(documents.addScore, { document_id, score: given })
}

async function shelved(status = 2): Promise<number> {
  const [id = 0] = await site.shelve({ owner, status })
  return id
}

function person(index: number): Person {
  const found = people[index]
  return found ?? expect.fail(`there are ${people.length} people`)
}

test('the first score counts alone, later ones for their share', async () => {
  const id = await shelved()
  expect((await site.call(documents.get, { id })).score).toBe(300)
  await score(person(0), id, 500)
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 500, score_count: 1 })
  await score(person(1), id, 200)
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 350, score_count: 2 })
  expect(await person(1).call(documents.getScore, { document_id: id })).toMatchObject({ score: 200, document_id: id })
  expect(await person(2).call(documents.getScore, { document_id: id })).toMatchObject({ id: 0, score: 0 })
})

test('everybody scores once', async () => {
  const id = await shelved()
  await score(person(0), id, 100)
  expect(await refusal(score(person(0), id, 500))).toMatchObject({ status: 403, reason: 'documents.scoreTwice' })
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 100, score_count: 1 })
})

test('all who score at the same moment count', async () => {
  const id = await shelved()
  const given = [100, 200, 300, 400, 500, 500]
  await Promise.all(given.map((each, index) => score(person(index), id, each)))
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 333, score_count: 6 })
})

test('nobody scores their own, or what they cannot see', async () => {
  const id = await shelved()
  expect(await refusal(score(owner, id, 500))).toMatchObject({ status: 403, message: '不能给自己的文档评分' })
  expect(await refusal(score(person(0), await shelved(6), 500))).toMatchObject({ status: 404 })
  expect(await refusal(score(person(0), 999_999, 500))).toMatchObject({ status: 404 })
})

test.each([0, 99, 501, 100_000, -100])('%d is no score', async (given) => {
  expect(await refusal(score(person(0), await shelved(), given))).toMatchObject({ status: 400 })
})
