import { DocumentStatus } from '#shared/document-status.ts'
import { ReportReason, reportReasonLabels, ActivityType } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activities } from '#shared/contract/activities.ts'
import { documents } from '#shared/contract/documents.ts'
import { reports } from '#shared/contract/reports.ts'
import { users } from '#shared/contract/users.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let author: Person
let reader: Person
let document_id: number
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.member()
  reader = await site.member()
  document_id = (await site.addDocuments({ owner: author, title: '可疑的文档' }))[0] ?? 0
})

test('a report has document, reporter and reason, and is listed for staff', async () => {
  await reader.call(reports.create, { document_id, reason: ReportReason.Scam })
  const { uuid } = await site.call(documents.get, { id: document_id })
  const { report } = await site.root.call(reports.list)
  expect(report[0]).toMatchObject({
    document_id,
    document_title: '可疑的文档',
    document_uuid: uuid,
    user_id: reader.id,
    username: reader.username,
    reason: ReportReason.Scam,
    status: false,
    remark: '',
  })
  expect((await reader.call(activities.list)).dynamic).toMatchObject([
    { type: ActivityType.Report, subject: '可疑的文档', href: `/document/${uuid}` },
  ])
})

test('a member reports a document once, also with twenty concurrent requests', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => reader.call(reports.create, { document_id, reason: ReportReason.Spam })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const twice = { status: 409, reason: 'reports.twice' }
  expect(await refusal(reader.call(reports.create, { document_id, reason: ReportReason.Pornography }))).toMatchObject(
    twice,
  )
  expect((await reader.call(activities.list)).total).toBe(1)
  const otherReader = await site.member()
  await otherReader.call(reports.create, { document_id, reason: ReportReason.Pornography })
  const { report } = await site.root.call(reports.list)
  expect(report.filter((row) => row.document_id === document_id)).toHaveLength(2)
})

test('members cannot report their own documents, what they cannot see, or without a reason; visitors cannot report', async () => {
  expect(await refusal(author.call(reports.create, { document_id, reason: ReportReason.Spam }))).toMatchObject({
    status: 403,
    reason: 'reports.own',
  })
  const hidden = await site.addDocuments(
    { owner: author, status: DocumentStatus.InReview },
    { owner: author, deleted_at: 1 },
  )
  for (const id of [...hidden, 999_999])
    expect(await refusal(reader.call(reports.create, { document_id: id, reason: ReportReason.Spam }))).toMatchObject({
      status: 404,
    })
  for (const code of [0, 12, 1.5, -1])
    expect(await refusal(reader.call(reports.create, { document_id, reason: code as never }))).toMatchObject({
      status: 400,
    })
  expect(await refusal(site.call(reports.create, { document_id, reason: ReportReason.Spam }))).toMatchObject({
    status: 401,
  })
})

test('title and username stay as they were; the uuid is empty once the document is deleted', async () => {
  await reader.call(reports.create, { document_id, reason: ReportReason.Sensitive })
  await site.root.call(documents.update, { id: document_id, title: '无害的文档' })
  const report = await findReport(document_id)
  expect([report?.document_title, report?.document_uuid.length]).toEqual(['可疑的文档', 16])
  await site.root.call(documents.delete, { id: [document_id] })
  await site.root.call(users.delete, { id: [reader.id], password: site.root.password })
  expect(await findReport(document_id)).toMatchObject({
    document_title: '可疑的文档',
    username: reader.username,
    document_uuid: '',
  })
})

test('reports are found by title and status, and handled with a remark', async () => {
  const [odd = 0] = await site.addDocuments({ owner: author, title: '100%_纯正 rare' })
  for (const id of [document_id, odd])
    await reader.call(reports.create, { document_id: id, reason: ReportReason.Harassment })
  const titles = async (params: { wd?: string; status?: boolean[] }) => {
    const { report } = await site.root.call(reports.list, params)
    return report.filter(({ user_id }) => user_id === reader.id).map((row) => row.document_title)
  }
  expect(await titles({ wd: '%_纯正' })).toEqual(['100%_纯正 rare'])
  const { id = 0 } = (await findReport(odd)) ?? {}
  const officer = await site.staff('ReportAPI/UpdateReport')
  await officer.call(reports.update, { id, status: true, remark: '已下架' })
  expect(await findReport(odd)).toMatchObject({ status: true, remark: '已下架' })
  expect(await titles({ status: [true] })).toEqual(['100%_纯正 rare'])
  expect(await titles({ status: [false] })).toEqual(['可疑的文档'])
  expect(await titles({ status: [true, false] })).toEqual(['100%_纯正 rare', '可疑的文档'])
  expect(await refusal(officer.call(reports.update, { id: 999_999, status: true }))).toMatchObject({
    status: 404,
    reason: 'reports.notFound',
  })
  await site.root.call(reports.delete, { id: [id, 999_999] })
  expect(await findReport(odd)).toBeUndefined()
})

test.each([
  [ReportReason.Plagiarism, '抄袭'],
  [ReportReason.Misleading, '内容与标题不符'],
  [ReportReason.Unopenable, '打不开'],
] as const)('%s is a reason that needs no words', async (reason, label) => {
  expect(reportReasonLabels[reason]).toBe(label)
  await reader.call(reports.create, { document_id, reason })
  expect(await findReport(document_id)).toMatchObject({ reason, content: '' })
})

test('the codes of the new reasons follow the six of older clients', () => {
  const { Copyright, Plagiarism, Misleading, Unopenable, Other } = ReportReason
  expect([Copyright, Plagiarism, Misleading, Unopenable, Other]).toEqual([7, 8, 9, 10, 11])
})

test('another reason needs words, a copyright also a contact', async () => {
  const attempt = (form: { reason: ReportReason; content?: string; contact?: string; proof?: number[] }) =>
    refusal(reader.call(reports.create, { document_id, ...form }))
  const { Other, Copyright, Spam } = ReportReason
  expect((await attempt({ reason: Other })).reason).toBe('reports.contentNeeded')
  expect((await attempt({ reason: Other, content: ' \n ' })).reason).toBe('reports.contentNeeded')
  expect((await attempt({ reason: Copyright, content: '我写的书' })).reason).toBe('reports.contactNeeded')
  expect((await attempt({ reason: Spam, proof: [1] })).reason).toBe('reports.proofsOnlyForCopyright')
  await reader.call(reports.create, {
    document_id,
    reason: Copyright,
    content: '我写的书',
    contact: 'author@example.com',
  })
  expect(await findReport(document_id)).toMatchObject({ reason: Copyright, content: '我写的书' })
})

test('members neither list nor handle reports', async () => {
  await reader.call(reports.create, { document_id, reason: ReportReason.Spam })
  const { id = 0 } = (await findReport(document_id)) ?? {}
  const denied = { status: 403 }
  expect(await refusal(reader.call(reports.list))).toMatchObject(denied)
  expect(await refusal(reader.call(reports.update, { id, status: true }))).toMatchObject(denied)
  expect(await refusal(reader.call(reports.delete, { id: [id] }))).toMatchObject(denied)
})

async function findReport(id: number) {
  const { report } = await site.root.call(reports.list)
  return report.find((row) => row.document_id === id)
}
