import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dynamics } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { reports } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Library
let author: Person
let reader: Person
let document_id: number
beforeAll(async () => {
  site = await openLibrary()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.member()
  reader = await site.member()
  document_id = (await site.shelve({ owner: author, title: '可疑的文档' }))[0] ?? 0
})

test('a report says what, who and why, and the staff find it', async () => {
  await reader.call(reports.create, { document_id, reason: 3 })
  const { uuid } = await site.call(documents.get, { id: document_id })
  const { report } = await site.root.call(reports.list)
  expect(report[0]).toMatchObject({
    document_id,
    document_title: '可疑的文档',
    document_uuid: uuid,
    user_id: reader.id,
    username: reader.username,
    reason: 3,
    status: false,
    remark: '',
  })
  expect((await reader.call(dynamics.list)).dynamic).toMatchObject([
    { type: 16, subject: '可疑的文档', href: `/document/${uuid}` },
  ])
})

test('one person reports a document once, also by twenty clicks at once', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => reader.call(reports.create, { document_id, reason: 1 })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const twice = { status: 409, reason: 'reports.twice' }
  expect(await refusal(reader.call(reports.create, { document_id, reason: 2 }))).toMatchObject(twice)
  expect((await reader.call(dynamics.list)).total).toBe(1)
  const other = await site.member()
  await other.call(reports.create, { document_id, reason: 2 })
  const { report } = await site.root.call(reports.list)
  expect(report.filter((row) => row.document_id === document_id)).toHaveLength(2)
})

test('nobody reports their own, what they cannot see, or without a reason or a name', async () => {
  expect(await refusal(author.call(reports.create, { document_id, reason: 1 }))).toMatchObject({
    status: 403,
    reason: 'reports.own',
  })
  const hidden = await site.shelve({ owner: author, status: 6 }, { owner: author, deleted_at: 1 })
  for (const id of [...hidden, 999_999])
    expect(await refusal(reader.call(reports.create, { document_id: id, reason: 1 }))).toMatchObject({ status: 404 })
  for (const reason of [0, 7, 1.5, -1])
    expect(await refusal(reader.call(reports.create, { document_id, reason }))).toMatchObject({ status: 400 })
  expect(await refusal(site.call(reports.create, { document_id, reason: 1 }))).toMatchObject({ status: 401 })
})

test('title and name stay as they were, and the address goes with the document', async () => {
  await reader.call(reports.create, { document_id, reason: 4 })
  await site.root.call(documents.update, { id: document_id, title: '无害的文档' })
  const one = await reportOn(document_id)
  expect([one?.document_title, one?.document_uuid.length]).toEqual(['可疑的文档', 16])
  await site.root.call(documents.delete, { id: [document_id] })
  await site.root.call(users.delete, { id: [reader.id], password: site.root.password })
  expect(await reportOn(document_id)).toMatchObject({
    document_title: '可疑的文档',
    username: reader.username,
    document_uuid: '',
  })
})

test('reports are found by title and state, and handled with a remark', async () => {
  const [odd = 0] = await site.shelve({ owner: author, title: '100%_纯正 rare' })
  for (const id of [document_id, odd]) await reader.call(reports.create, { document_id: id, reason: 6 })
  const titles = async (asked: { wd?: string; status?: boolean[] }) => {
    const { report } = await site.root.call(reports.list, asked)
    return report.filter(({ user_id }) => user_id === reader.id).map((row) => row.document_title)
  }
  expect(await titles({ wd: '%_纯正' })).toEqual(['100%_纯正 rare'])
  const { id = 0 } = (await reportOn(odd)) ?? {}
  const officer = await site.staff('ReportAPI/UpdateReport')
  await officer.call(reports.update, { id, status: true, remark: '已下架' })
  expect(await reportOn(odd)).toMatchObject({ status: true, remark: '已下架' })
  expect(await titles({ status: [true] })).toEqual(['100%_纯正 rare'])
  expect(await titles({ status: [false] })).toEqual(['可疑的文档'])
  expect(await titles({ status: [true, false] })).toEqual(['100%_纯正 rare', '可疑的文档'])
  expect(await refusal(officer.call(reports.update, { id: 999_999, status: true }))).toMatchObject({
    status: 404,
    reason: 'reports.notFound',
  })
  await site.root.call(reports.delete, { id: [id, 999_999] })
  expect(await reportOn(odd)).toBeUndefined()
})

test('members see nobody’s reports and handle none', async () => {
  await reader.call(reports.create, { document_id, reason: 1 })
  const { id = 0 } = (await reportOn(document_id)) ?? {}
  const denied = { status: 403 }
  expect(await refusal(reader.call(reports.list))).toMatchObject(denied)
  expect(await refusal(reader.call(reports.update, { id, status: true }))).toMatchObject(denied)
  expect(await refusal(reader.call(reports.delete, { id: [id] }))).toMatchObject(denied)
})

async function reportOn(id: number) {
  const { report } = await site.root.call(reports.list)
  return report.find((row) => row.document_id === id)
}
