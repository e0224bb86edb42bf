import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { attachments } from '#shared/contract/attachments.ts'
import { reports } from '#shared/contract/reports.ts'
import { AttachmentType, ReportReason } from '#shared/enums.ts'
import { enqueue } from '#server/jobs.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { tinyPdf, uploadForm } from '#server/testing/upload.ts'

const claim = { reason: ReportReason.Copyright, content: '这是我写的书', contact: 'author@example.com' }
const dayMs = 24 * 60 * 60_000

let site: DocumentSite
let claimant: Person
let document_id: number
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  claimant = await site.member()
  document_id = (await site.addDocuments({ owner: await site.member(), title: '盗版' }))[0] ?? 0
})

test('pictures and PDFs prove a copyright; staff who handle reports read them', async () => {
  const proof = [await sendId(await picture(), '版权页.png'), await sendId(tinyPdf('contract'), '合同.exe')]
  await claimant.call(reports.create, { document_id, ...claim, proof })
  const officer = await site.staff('ReportAPI/ListReport', 'ReportAPI/UpdateReport')
  const report = await findReport(officer)
  expect(report).toMatchObject({
    contact: 'author@example.com',
    proof: [
      { id: proof[0], name: '版权页.png', ext: '.png' },
      { id: proof[1], name: '合同.pdf', ext: '.pdf' },
    ],
  })
  const [first = 0, second = 0] = proof
  const image = await request(officer, first)
  expect(image.status).toBe(200)
  expect(image.headers.get('content-disposition')).toContain('attachment')
  expect(image.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await sharp(await image.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 60 })
  expect((await request(officer, second)).headers.get('content-type')).toBe('application/pdf')
})

test('nobody else reads them: not the claimant, the uploader, staff of other areas, or by any address', async () => {
  const id = await sendId(await picture(), '身份证.png')
  await claimant.call(reports.create, { document_id, ...claim, proof: [id] })
  for (const person of [claimant, await site.member(), await site.staff('ReportAPI/ListReport')])
    expect((await request(person, id)).status).toBe(403)
  expect((await site.request(`/api/v1/report/proof?id=${id}`)).status).toBe(401)
  const listing = await site.staff('ReportAPI/ListReport')
  expect(await findReport(listing)).toMatchObject({ contact: '', proof: [] })
  const { hash, path } = await row(id)
  expect(path).toBe('')
  for (const ext of ['.png', '.webp', '.jpg'])
    expect((await site.request(`/uploads/${hash.slice(0, 2)}/${hash}${ext}`)).status).toBe(404)
})

test('the type is that of the content: scripts, SVG and office files are refused', async () => {
  for (const [name, bytes] of [
    ['a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a.pdf', Buffer.from('<html><script>alert(1)</script>')],
    ['a.jpg', Buffer.from('MZ\x90\x00')],
    ['a.docx', Buffer.from('PK\x03\x04')],
  ] as const)
    expect(await send(new Uint8Array(bytes), name), name).toMatchObject({ status: 400, reason: 'uploads.notProof' })
  expect(await send(new Uint8Array(0), 'a.png')).toMatchObject({ status: 400 })
})

test('size, number and the day’s quota are limited', async () => {
  const large = new Uint8Array(10 * 1024 * 1024 + 1)
  large.set(tinyPdf('large'))
  expect(await send(large, 'a.pdf')).toMatchObject({ status: 413, reason: 'uploads.tooLarge' })
  const proof = Array.from({ length: 6 }, (_, at) => at + 1)
  expect(await refusal(claimant.call(reports.create, { document_id, ...claim, proof }))).toMatchObject({ status: 400 })
  const results: number[] = []
  const bytes = await picture()
  for (let at = 0; at < 21; at += 1) results.push((await send(bytes, 'a.png')).status)
  expect(results.filter((status) => status === 200)).toHaveLength(20)
  expect(await send(bytes, 'a.png')).toMatchObject({ status: 429, reason: 'uploads.quotaCount' })
})

test('a file of another member, a used one or one of another kind is not taken', async () => {
  const other = await site.member()
  const foreign = await sendId(await picture(), 'a.png', other)
  const { id: document } = await site.upload(claimant)
  for (const id of [foreign, document, 999_999])
    expect(await refusal(claimant.call(reports.create, { document_id, ...claim, proof: [id] }))).toMatchObject({
      reason: 'reports.proofsUnusable',
    })
  const own = await sendId(await picture(), 'a.png')
  await claimant.call(reports.create, { document_id, ...claim, proof: [own] })
  const [second = 0] = await site.addDocuments({ owner: other })
  const again = claimant.call(reports.create, { document_id: second, ...claim, proof: [own] })
  expect(await refusal(again)).toMatchObject({ reason: 'reports.proofsUnusable' })
  expect((await claimant.call(reports.own)).total).toBe(1)
})

test('proofs go with their report, and unused ones after a day', async () => {
  const [used, kept, unused] = [
    await sendId(await picture()),
    await sendId(await picture()),
    await sendId(await picture()),
  ]
  await claimant.call(reports.create, { document_id, ...claim, proof: [used] })
  const [second = 0] = await site.addDocuments({ owner: await site.member() })
  await claimant.call(reports.create, { document_id: second, ...claim, proof: [kept] })
  const officer = await site.staff('ReportAPI/ListReport', 'ReportAPI/UpdateReport', 'ReportAPI/DeleteReport')
  const report = await findReport(officer)
  await officer.call(reports.delete, { id: [report?.id ?? 0] })
  expect((await request(officer, used)).status).toBe(404)
  site.advanceClock(dayMs + 60_000)
  await enqueue(await site.app.context(), 'attachments.sweep', {})
  await site.runDueJobs()
  expect((await row(used)).deleted_at).not.toBeNull()
  expect((await row(unused)).deleted_at).not.toBeNull()
  expect((await row(kept)).deleted_at).toBeNull()
  const { attachment } = await site.root.call(attachments.list, { type: [AttachmentType.ReportProof] })
  expect(attachment.map(({ id }) => id)).toContain(kept)
})

/** Another one each time. */
async function picture(): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = randomBytes(60 * 40 * 3)
  return new Uint8Array(
    await sharp(pixels, { raw: { width: 60, height: 40, channels: 3 } })
      .png()
      .toBuffer(),
  )
}

function send(bytes: Uint8Array<ArrayBuffer>, name = 'a.png', person = claimant) {
  return uploadForm(site, person, { name, bytes, to: 'report' })
}

async function sendId(...args: Parameters<typeof send>): Promise<number> {
  const { status, id } = await send(...args)
  expect(status).toBe(200)
  return id
}

function request({ token }: Person, id: number): Promise<Response> {
  return site.request(`/api/v1/report/proof?id=${id}`, { headers: { authorization: `Bearer ${token}` } })
}

async function findReport({ call }: Person) {
  const { entry } = await call(reports.inbox, { size: 100 })
  return entry.find(({ id }) => id === document_id)?.report[0]
}

function row(id: number) {
  return site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
