import { afterAll, beforeAll, expect, test } from 'vitest'
import { DocumentStatus } from '#shared/document-status.ts'
import { documents } from '#shared/contract/documents.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let owner: Person
let people: Person[]
beforeAll(async () => {
  site = await openDocumentSite()
  owner = await site.member()
  people = []
  for (let n = 0; n < 6; n++) people.push(await site.member())
})
afterAll(() => site.close())

function rate(person: Person, document_id: number, score: number) {
  return person.call(documents.rate, { document_id, score })
}

async function addDocument(status: DocumentStatus = DocumentStatus.Converted): Promise<number> {
  const [id = 0] = await site.addDocuments({ owner, status })
  return id
}

function person(index: number): Person {
  return people[index] ?? expect.fail(`there are ${people.length} people`)
}

test('the first rating counts alone, later ones are averaged', async () => {
  const id = await addDocument()
  expect((await site.call(documents.get, { id })).score).toBe(300)
  await rate(person(0), id, 500)
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 500, score_count: 1 })
  await rate(person(1), id, 200)
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 350, score_count: 2 })
  expect(await person(1).call(documents.ownRating, { document_id: id })).toMatchObject({ score: 200, document_id: id })
  expect(await person(2).call(documents.ownRating, { document_id: id })).toMatchObject({ id: 0, score: 0 })
})

test('a member rates once', async () => {
  const id = await addDocument()
  await rate(person(0), id, 100)
  expect(await refusal(rate(person(0), id, 500))).toMatchObject({ status: 403, reason: 'documents.scoreTwice' })
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 100, score_count: 1 })
})

test('concurrent ratings all count', async () => {
  const id = await addDocument()
  const scores = [100, 200, 300, 400, 500, 500]
  await Promise.all(scores.map((score, index) => rate(person(index), id, score)))
  expect(await site.call(documents.get, { id })).toMatchObject({ score: 333, score_count: 6 })
})

test('a member cannot rate their own documents, nor hidden ones', async () => {
  const id = await addDocument()
  expect(await refusal(rate(owner, id, 500))).toMatchObject({ status: 403, message: '不能给自己的文档评分' })
  expect(await refusal(rate(person(0), await addDocument(DocumentStatus.InReview), 500))).toMatchObject({
    status: 404,
  })
  expect(await refusal(rate(person(0), 999_999, 500))).toMatchObject({ status: 404 })
})

test.each([0, 99, 501, 100_000, -100])('a score of %d is refused', async (score) => {
  expect(await refusal(rate(person(0), await addDocument(), score))).toMatchObject({ status: 400 })
})
