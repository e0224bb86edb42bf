import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { credits } from '#shared/contract/credits.ts'
import { activities } from '#shared/contract/activities.ts'
import { groups } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let staff: Person
let category: number
beforeAll(async () => {
  site = await openDocumentSite()
  staff = await site.staff('DocumentAPI/ListDocument', 'DocumentAPI/UpdateDocument')
  category = await site.category('资料')
})
afterAll(() => site.close())

async function countOf({ id }: Person): Promise<number> {
  return (await site.root.call(users.get, { id })).doc_count
}

async function ownTitles(person: Person): Promise<string[]> {
  const { document } = await person.call(documents.list, { user_id: [person.id], size: 24 })
  return document.map(({ title }) => title).toSorted()
}

const latestAudit = async () => (await site.root.call(audits.list, { size: 1 })).audit[0]

describe('a change of owner', () => {
  test('gives documents to another member, and counts the public ones for both', async () => {
    const [from, to] = [await site.author(), await site.author()]
    const ids = await site.addDocuments(
      { owner: from, title: '甲' },
      { owner: from, title: '乙' },
      { owner: from, title: '待审', status: DocumentStatus.InReview },
      { owner: from, title: '留下' },
    )
    expect([await countOf(from), await countOf(to)]).toEqual([3, 0])
    await staff.call(documents.setOwner, { document_id: ids.slice(0, 3), user_id: to.id })
    expect([await countOf(from), await countOf(to)]).toEqual([1, 2])
    expect(await ownTitles(from)).toEqual(['留下'])
    expect(await ownTitles(to)).toEqual(['乙', '待审', '甲'].toSorted())
    expect(await latestAudit()).toMatchObject({
      username: staff.username,
      title: '更换了文档的上传者',
      target_id: ids.slice(0, 3).map(String),
      change: `上传者: ${from.username} → ${to.username}`,
    })
    await to.call(documents.delete, { id: ids.slice(0, 1) })
    expect(await countOf(to)).toBe(1)
  })

  test('made again changes nothing, and leaves the recycle bin alone', async () => {
    const [from, to] = [await site.author(), await site.author()]
    const ids = await site.addDocuments({ owner: from }, { owner: from, deleted_at: 5 })
    for (let time = 0; time < 2; time += 1) await staff.call(documents.setOwner, { document_id: ids, user_id: to.id })
    expect([await countOf(from), await countOf(to)]).toEqual([0, 1])
    const rows = await site.db.selectFrom('document').select('user_id').where('id', 'in', ids).orderBy('id').execute()
    expect(rows.map(({ user_id }) => user_id)).toEqual([to.id, from.id])
  })

  test('in both directions at once keeps the counts right', async () => {
    const [one, other] = [await site.author(), await site.author()]
    const [first = 0, second = 0] = await site.addDocuments({ owner: one }, { owner: other })
    await Promise.all([
      staff.call(documents.setOwner, { document_id: [first], user_id: other.id }),
      staff.call(documents.setOwner, { document_id: [second], user_id: one.id }),
    ])
    expect([await countOf(one), await countOf(other)]).toEqual([1, 1])
  })

  test('is for staff who may change documents, and to a member who exists', async () => {
    const owner = await site.author()
    const document_id = await site.addDocuments({ owner })
    expect(await refusal(owner.call(documents.setOwner, { document_id, user_id: owner.id }))).toMatchObject({
      status: 403,
    })
    expect(await refusal(staff.call(documents.setOwner, { document_id, user_id: 999_999 }))).toMatchObject({
      status: 404,
      reason: 'users.notFound',
    })
  })
})

describe('an upload on behalf of a member', () => {
  test('is theirs, counted for them and said in the audit log, without a reward', async () => {
    await site.configure({ 'score.upload_document': '5', 'score.upload_document_limit': '10' })
    await allowContributions(staff)
    const owner = await site.member()
    const file = await site.upload(staff, { name: '讲义.pdf' })
    const { document } = await staff.call(documents.createFor, {
      user_id: owner.id,
      category_id: [category],
      document: [{ attachment_id: file.id }],
    })
    const [id = 0] = document.map((row) => row.id)
    expect(await owner.call(documents.get, { id })).toMatchObject({ title: '讲义', user_id: owner.id })
    expect(await ownTitles(owner)).toEqual(['讲义'])
    expect([await countOf(owner), await countOf(staff)]).toEqual([1, 0])
    for (const person of [owner, staff])
      expect((await person.call(credits.entries)).entry.filter(({ reason }) => reason === 'upload')).toEqual([])
    const { dynamic } = await owner.call(activities.list)
    expect(dynamic[0]).toMatchObject({ subject: '讲义', amount: 0 })
    expect(await latestAudit()).toMatchObject({
      username: staff.username,
      title: '代他人发布了已上传的文件',
      target_id: [String(id)],
      change: `上传者: ${owner.username}`,
    })
  })

  test('is refused without the permission, for an unknown member, and with a file of somebody else', async () => {
    await allowContributions(staff)
    const author = await site.author()
    const [own, foreign] = [await site.upload(author), await site.upload(author)]
    const request = (attachment_id: number, user_id: number) => ({
      user_id,
      category_id: [category],
      document: [{ attachment_id }],
    })
    expect(await refusal(author.call(documents.createFor, request(own.id, staff.id)))).toMatchObject({ status: 403 })
    expect(await refusal(staff.call(documents.createFor, request(foreign.id, author.id)))).toMatchObject({
      reason: 'documents.noFiles',
    })
    const file = await site.upload(staff)
    expect(await refusal(staff.call(documents.createFor, request(file.id, 999_999)))).toMatchObject({ status: 404 })
  })
})

/** Staff are in a group of their own. */
async function allowContributions(person: Person): Promise<void> {
  const { group } = await person.call(users.group)
  for (const row of group)
    await site.root.call(groups.update, { ...row, enable_upload: true, enable_document_review: false })
}
