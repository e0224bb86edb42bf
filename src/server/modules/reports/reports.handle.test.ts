import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { activities } from '#shared/contract/activities.ts'
import { audits } from '#shared/contract/audit.ts'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { reports } from '#shared/contract/reports.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ActivityType, Punishment, ReportOutcome, ReportReason } from '#shared/enums.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const { Dismissed, DocumentDisabled, DocumentDeleted, Handled } = ReportOutcome

let site: DocumentSite
let mailbox: Mailbox
let author: Person
let document_id: number
let reporters: Person[]
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openDocumentSite()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(async () => {
  await site.db.deleteFrom('report').execute()
  author = await site.member()
  document_id = (await site.addDocuments({ owner: author, title: '盗版教材' }))[0] ?? 0
  reporters = [await site.member(), await site.member(), await site.member()]
  for (const { call } of reporters) await call(reports.create, { document_id, reason: ReportReason.Spam })
})

test('the inbox has one entry for each document, with all of its reports', async () => {
  const [other = 0] = await site.addDocuments({ owner: author, title: '另一份' })
  await reporters[0]?.call(reports.create, { document_id: other, reason: ReportReason.Other, content: '看不清' })
  const { total, entry } = await site.root.call(reports.inbox)
  expect(total).toBe(2)
  expect(entry.map(({ id, open_count }) => [id, open_count])).toEqual([
    [document_id, 3],
    [other, 1],
  ])
  expect(entry[0]).toMatchObject({
    title: '盗版教材',
    report_count: 3,
    document: { title: '盗版教材', status: DocumentStatus.Converted, is_deleted: false, user_id: author.id },
  })
  expect(entry[0]?.report.map(({ username }) => username).toSorted()).toEqual(
    reporters.map(({ username }) => username).toSorted(),
  )
  expect(entry[1]?.report).toMatchObject([{ reason: ReportReason.Other, content: '看不清', status: false }])
})

test('the inbox is filtered by status, reason and title, and paged', async () => {
  const [other = 0] = await site.addDocuments({ owner: author, title: '100%_纯正' })
  await reporters[0]?.call(reports.create, { document_id: other, reason: ReportReason.Plagiarism })
  const ids = async (params: Parameters<typeof find>[0]) => (await find(params)).entry.map(({ id }) => id)
  expect(await ids({ reason: [ReportReason.Plagiarism] })).toEqual([other])
  expect(await ids({ wd: '%_纯' })).toEqual([other])
  expect(await ids({ page: 2, size: 1 })).toEqual([other])
  expect((await find({ page: 2, size: 1 })).total).toBe(2)
  await handle({ outcome: Dismissed })
  expect(await ids({ status: [false] })).toEqual([other])
  expect(await ids({ status: [true] })).toEqual([document_id])
  expect(await ids({ status: [true, false] })).toEqual([other, document_id])
})

test('reports of a document are dismissed together; the document stays', async () => {
  await handle({ outcome: Dismissed, remark: '正常的教材' })
  const { entry } = await find({ status: [true] })
  expect(entry[0]).toMatchObject({ open_count: 0, report_count: 3 })
  for (const report of entry[0]?.report ?? [])
    expect(report).toMatchObject({ status: true, outcome: Dismissed, remark: '正常的教材', handled_by: 'admin' })
  expect((await site.call(documents.get, { id: document_id })).status).toBe(DocumentStatus.Converted)
})

test('the document is disabled or deleted where its reports are read', async () => {
  await handle({ outcome: DocumentDisabled })
  expect((await author.call(documents.get, { id: document_id })).status).toBe(DocumentStatus.Disabled)
  expect(await refusal(site.call(documents.get, { id: document_id }))).toMatchObject({ status: 404 })

  const [second = 0] = await site.addDocuments({ owner: author })
  await reporters[0]?.call(reports.create, { document_id: second, reason: ReportReason.Spam })
  await handle({ outcome: DocumentDeleted }, second)
  const { document } = await site.root.call(documentRecycle.list)
  expect(document.map(({ id }) => id)).toContain(second)
  expect((await find({ status: [true] })).entry.find(({ id }) => id === second)).toMatchObject({
    document: { is_deleted: true },
  })
})

test('the uploader is punished by the same decision', async () => {
  await handle({
    outcome: DocumentDisabled,
    punishment: [Punishment.NoUpload, Punishment.NoComment],
    punishment_reason: '上传盗版',
  })
  const { punishment } = await site.root.call(punishments.list, { user_id: [author.id] })
  expect(punishment).toMatchObject([{ enable: true, reason: '上传盗版' }, { enable: true }])
})

test('nothing happens if a part of the decision is not allowed', async () => {
  const officer = await site.staff('ReportAPI/ListReport', 'ReportAPI/UpdateReport')
  const id = await openIds()
  for (const decision of [
    { outcome: DocumentDisabled },
    { outcome: DocumentDeleted },
    { outcome: Dismissed, punishment: [Punishment.NoUpload] },
  ])
    expect(await refusal(officer.call(reports.handle, { id, ...decision }))).toMatchObject({ status: 403 })
  expect((await site.call(documents.get, { id: document_id })).status).toBe(DocumentStatus.Converted)
  expect(await openIds()).toEqual(id)
  // The uploader has permissions that the officer does not hold.
  const reviewer = await site.staff('ReportAPI/UpdateReport', 'PunishmentAPI/CreatePunishment')
  const group = await site.root.call(groups.list)
  const administrators = group.group.filter(({ title }) => title === '超级管理员').map((row) => row.id)
  await site.root.call(users.set, { id: author.id, group_id: administrators })
  const refused = await refusal(
    reviewer.call(reports.handle, { id, outcome: Dismissed, punishment: [Punishment.NoUpload] }),
  )
  expect(refused).toMatchObject({ status: 403 })
  expect(await openIds()).toEqual(id)
  await officer.call(reports.handle, { id, outcome: Handled })
  expect(await openIds()).toEqual([])
})

test('two of the staff decide at once: one decision counts', async () => {
  const id = await openIds()
  const outcomes = [Dismissed, DocumentDisabled, Handled, Dismissed]
  const results = await Promise.allSettled(
    outcomes.map((outcome) =>
      site.root.call(reports.handle, { id, outcome, answer: '已处理', punishment: [Punishment.NoUpload] }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await refusal(site.root.call(reports.handle, { id, outcome: Dismissed }))).toMatchObject({
    status: 409,
    reason: 'reports.handledAlready',
  })
  expect((await site.root.call(punishments.list, { user_id: [author.id] })).total).toBe(1)
  const [reporter] = reporters
  const { dynamic } = (await reporter?.call(activities.list)) ?? { dynamic: [] }
  expect(dynamic.filter(({ type }) => type === ActivityType.ReportHandled)).toHaveLength(1)
})

test('a report that arrives after the list was loaded stays open', async () => {
  const id = await openIds()
  const late = await site.member()
  await late.call(reports.create, { document_id, reason: ReportReason.Sensitive })
  await site.root.call(reports.handle, { id, outcome: Dismissed })
  const { entry } = await find({ status: [false] })
  expect(entry[0]).toMatchObject({ open_count: 1, report_count: 4 })
  expect(entry[0]?.report[0]).toMatchObject({ username: late.username, status: false })
})

test('the reporter sees result and answer among their reports and in their activities', async () => {
  await handle({ outcome: DocumentDisabled, answer: '感谢您，<b>已下架</b>', remark: '内部备注' })
  const [reporter] = reporters
  const own = await reporter?.call(reports.own)
  expect(own).toMatchObject({
    total: 1,
    report: [
      {
        document_title: '盗版教材',
        document_uuid: '',
        status: true,
        outcome: DocumentDisabled,
        answer: '感谢您，<b>已下架</b>',
      },
    ],
  })
  expect(JSON.stringify(own)).not.toContain('内部备注')
  expect((await reporter?.call(activities.list))?.dynamic[0]).toMatchObject({
    type: ActivityType.ReportHandled,
    subject: '盗版教材',
    href: '/me/report',
  })
  expect((await author.call(reports.own)).total).toBe(0)
})

test('the answer is mailed where the site has mail and the reporter an address', async () => {
  const [first, second] = reporters
  await site.db
    .updateTable('user')
    .set({ email: 'reader@example.com' })
    .where('id', '=', first?.id ?? 0)
    .execute()
  await site.configure({ ...mailbox.settings, 'system.domain': 'https://wenku.example.com' })
  await handle({ outcome: Dismissed, answer: '经核实，没有违规。' })
  await site.runDueJobs()
  const mail = mailbox.latest('reader@example.com')
  expect(mail.subject).toContain('举报处理结果')
  expect(mail.text).toContain('盗版教材')
  expect(mail.text).toContain('经核实，没有违规。')
  expect(mail.text).toContain('https://wenku.example.com/me/report')
  expect(mailbox.mails()).toHaveLength(1)

  await site.configure({ 'email.enable': 'false' })
  const [other = 0] = await site.addDocuments({ owner: author })
  await second?.call(reports.create, { document_id: other, reason: ReportReason.Spam })
  await handle({ outcome: Dismissed, answer: '好的' }, other)
  expect((await second?.call(reports.own))?.report[0]).toMatchObject({ answer: '好的' })
})

test('handled reports are opened again', async () => {
  await handle({ outcome: Dismissed })
  const id = (await find({ status: [true] })).entry[0]?.report.map((report) => report.id) ?? []
  await site.root.call(reports.reopen, { id })
  expect(await openIds()).toEqual(id)
})

test('older clients tick reports off one by one, and the inbox agrees', async () => {
  const { report } = await site.root.call(reports.list)
  const ofDocument = report.filter((row) => row.document_id === document_id)
  for (const { id } of ofDocument) await site.root.call(reports.update, { id, status: true, remark: '看过了' })
  const { entry } = await find({ status: [true] })
  expect(entry[0]).toMatchObject({ id: document_id, open_count: 0 })
  expect(entry[0]?.report[0]).toMatchObject({ outcome: Handled, remark: '看过了', handled_by: 'admin' })
})

test('reports of several documents are not handled in one call', async () => {
  const [other = 0] = await site.addDocuments({ owner: author })
  await reporters[0]?.call(reports.create, { document_id: other, reason: ReportReason.Spam })
  const { report } = await site.root.call(reports.list)
  const id = report.map((row) => row.id)
  expect(await refusal(site.root.call(reports.handle, { id, outcome: Dismissed }))).toMatchObject({
    reason: 'reports.mixed',
  })
  expect(await refusal(site.root.call(reports.handle, { id: [999_999], outcome: Dismissed }))).toMatchObject({
    status: 404,
  })
})

test('a document that is gone for good can still be ticked off', async () => {
  await site.db.deleteFrom('document').where('id', '=', document_id).execute()
  const { entry } = await find({ status: [false] })
  expect(entry[0]).toMatchObject({ title: '盗版教材', document: null })
  const id = await openIds()
  expect(await refusal(site.root.call(reports.handle, { id, outcome: DocumentDisabled }))).toMatchObject({
    reason: 'documents.notFound',
  })
  await site.root.call(reports.handle, { id, outcome: Handled })
  expect(await openIds()).toEqual([])
})

test('the audit log says who decided what', async () => {
  await handle({ outcome: DocumentDisabled, punishment: [Punishment.NoUpload], remark: '第三次' })
  const { audit } = await site.root.call(audits.list, { area: ['reports'] })
  expect(audit[0]).toMatchObject({ username: 'admin', change: expect.stringContaining('文档已禁用') })
  expect(audit[0]?.change).toContain('盗版教材')
  expect(audit[0]?.change).toContain('禁止上传')
  expect(audit[0]?.change).toContain('第三次')
})

function find(params: { status?: boolean[]; reason?: ReportReason[]; wd?: string; page?: number; size?: number }) {
  return site.root.call(reports.inbox, params)
}

async function openIds(id = document_id): Promise<number[]> {
  const { entry } = await find({ status: [false] })
  return (
    entry
      .find((row) => row.id === id)
      ?.report.filter(({ status }) => !status)
      .map((row) => row.id) ?? []
  )
}

type Decision = Omit<Parameters<typeof site.root.call<typeof reports.handle>>[1], 'id'>

async function handle(decision: Decision, id = document_id): Promise<void> {
  await site.root.call(reports.handle, { id: await openIds(id), ...decision })
}
