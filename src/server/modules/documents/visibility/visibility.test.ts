import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups } from '#shared/contract/access.ts'
import { comments } from '#shared/contract/comments.ts'
import { credits } from '#shared/contract/credits.ts'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { reports } from '#shared/contract/reports.ts'
import { users } from '#shared/contract/users.ts'
import { ReportReason, Visibility } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { findWrongCounters } from '#server/cli/check-counters.ts'
import { type DocumentFixture, type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let author: Person
let reader: Person
beforeAll(async () => {
  site = await openDocumentSite()
  await site.configure({ 'download.times_every_day': '1000', 'download.times_every_ip': '1000' })
  author = await site.author()
  reader = await site.member()
  await site.db.updateTable('group').set({ enable_comment: 1, enable_comment_approval: 0 }).execute()
})
afterAll(() => site.close())

/** With a file and pages. */
async function addDocument(fixture: DocumentFixture = {}): Promise<number> {
  const { hash } = await site.upload(author)
  const [id = 0] = await site.addDocuments({ owner: author, hash, texts: ['第一页'], ...fixture })
  return id
}

async function addGroup(title: string, ...members: Person[]): Promise<number> {
  const { id } = await site.root.call(groups.create, { title, is_display: true })
  for (const member of members) await site.root.call(users.set, { id: member.id, group_id: [id] })
  return id
}

const hide = (id: number, visibility: Visibility = Visibility.Private) =>
  author.call(documents.setVisibility, { id: [id], visibility })

describe('while someone reads, a document that is hidden', () => {
  test('is refused with the next request, however it is asked for', async () => {
    const id = await addDocument()
    const { attachment, cover } = await site.call(documents.get, { id })
    const { url } = await reader.call(downloads.download, { id })
    const paths = [`/view/text/${attachment.hash}/1.json`, cover, url]
    const statuses = async () => {
      const replies = await Promise.all(paths.map((path) => site.request(path)))
      return replies.map(({ status }) => status)
    }
    const [text, , file] = await statuses()
    expect([text, file]).toEqual([200, 200])
    await hide(id)
    expect(await statuses()).toEqual([404, 404, 403])
    expect(await refusal(reader.call(documents.get, { id }))).toMatchObject({ status: 404 })
    expect(await refusal(reader.call(documents.find, { id, wd: '第一' }))).toMatchObject({ status: 404 })
    expect(await refusal(reader.call(downloads.download, { id }))).toMatchObject({ status: 404 })
    await hide(id, Visibility.Public)
    expect((await statuses())[0]).toBe(200)
  })

  test('can no longer be downloaded by a link from before, if it is for reading only', async () => {
    const id = await addDocument()
    const { url } = await reader.call(downloads.download, { id })
    await author.call(documents.setVisibility, { id: [id], visibility: Visibility.Public, downloadable: false })
    expect((await site.request(url)).status).toBe(403)
    const { reason } = await reader.call(downloads.terms, { id })
    expect(reason).toBe(errors.documents.previewOnly().reason)
    expect((await author.call(downloads.download, { id })).url).toMatch(/^\/download\//)
  })

  test('shows no more in what others did with it', async () => {
    const id = await addDocument({ title: '隐去之书', price: 0 })
    site.advanceClock(60_000)
    await reader.call(comments.create, { document_id: id, content: '好书' })
    await reader.call(favorites.create, { document_id: id })
    await reader.call(downloads.download, { id })
    await reader.call(reports.create, { document_id: id, reason: ReportReason.Spam })
    const { uuid } = await reader.call(documents.get, { id })
    const shown = async () => ({
      comments: (await reader.call(comments.list, { user_id: reader.id })).comment.some(
        (row) => row.document_id === id,
      ),
      favorites: (await reader.call(favorites.list, {})).favorite.some((row) => row.document_id === id),
      downloads: (await reader.call(downloads.list, {})).download.some((row) => row.document_id === id),
      reports: (await reader.call(reports.own, {})).report.some((row) => row.document_uuid === uuid),
    })
    expect(await shown()).toEqual({ comments: true, favorites: true, downloads: true, reports: true })
    await hide(id)
    expect(await shown()).toEqual({ comments: false, favorites: false, downloads: false, reports: false })
  })

  test('is not told by entries of credits, but to its owner', async () => {
    const id = await addDocument({ title: '藏书', price: 3 })
    await site.root.call(credits.adjust, { user_id: reader.id, amount: 10, reason: '测试', key: 'visibility' })
    await reader.call(downloads.download, { id })
    const subjects = async (person: Person) =>
      (await person.call(credits.entries, {})).entry.map(({ subject }) => subject)
    expect(await subjects(reader)).toContain('藏书')
    await hide(id)
    expect(await subjects(reader)).not.toContain('藏书')
    expect(await subjects(author)).toContain('藏书')
  })
})

describe('a document for groups', () => {
  test('is closed to a member who leaves the group', async () => {
    const person = await site.member()
    const group = await addGroup('研究组', person)
    const id = await addDocument({ visibility: Visibility.Groups, groups: [group] })
    expect((await person.call(documents.get, { id })).id).toBe(id)
    const { attachment } = await person.call(documents.get, { id })
    const other = await addGroup('别组')
    await site.root.call(users.set, { id: person.id, group_id: [other] })
    expect(await refusal(person.call(documents.get, { id }))).toMatchObject({ status: 404 })
    expect((await site.request(`/view/text/${attachment.hash}/1.json`)).status).toBe(404)
  })

  test('is left to its owner when the group is deleted', async () => {
    const group = await addGroup('短命组')
    const id = await addDocument({ visibility: Visibility.Groups, groups: [group] })
    expect((await author.call(documents.get, { id })).group_id).toEqual([group])
    await site.root.call(groups.delete, { id: [group] })
    expect(await author.call(documents.get, { id })).toMatchObject({ visibility: Visibility.Groups, group_id: [] })
    expect(await refusal(reader.call(documents.get, { id }))).toMatchObject({ status: 404 })
  })

  test('needs a group that its owner may know of, and tells its groups to nobody else', async () => {
    const id = await addDocument()
    const secret = await site.root.call(groups.create, { title: '内部组', is_display: false })
    const set = (group_id: number[]) =>
      author.call(documents.setVisibility, { id: [id], visibility: Visibility.Groups, group_id })
    expect(await refusal(set([]))).toMatchObject({ reason: errors.documents.groupsNeeded().reason })
    expect(await refusal(set([secret.id]))).toMatchObject({ reason: errors.documents.groupUnknown().reason })
    expect(await refusal(set([999_999]))).toMatchObject({ reason: errors.documents.groupUnknown().reason })
    const person = await site.member()
    const group = await addGroup('公开组', person)
    await set([group])
    expect((await person.call(documents.get, { id })).group_id).toEqual([])
  })
})

describe('the visibility', () => {
  test('is changed by the owner for all documents or none, and by staff for any', async () => {
    const [own, foreign] = [await addDocument(), ...(await site.addDocuments({ owner: reader }))]
    const change = (person: Person) =>
      person.call(documents.setVisibility, { id: [own, foreign ?? 0], visibility: Visibility.Members })
    expect(await refusal(change(author))).toMatchObject({ reason: errors.documents.othersKept().reason })
    expect((await author.call(documents.get, { id: own })).visibility).toBe(Visibility.Public)
    await change(await site.staff('DocumentAPI/UpdateDocument', 'DocumentAPI/GetDocument'))
    expect((await author.call(documents.get, { id: own })).visibility).toBe(Visibility.Members)
  })

  test('stays as it is in forms that do not know it', async () => {
    const id = await addDocument({ visibility: Visibility.Private, downloadable: 0 })
    await author.call(documents.update, { id, title: '改名' })
    const document = await author.call(documents.get, { id })
    expect(document).toMatchObject({ title: '改名', visibility: Visibility.Private, downloadable: false })
    await author.call(documents.update, { id, title: '改名', visibility: Visibility.Link, downloadable: true })
    const changed = await author.call(documents.get, { id })
    expect(changed).toMatchObject({ visibility: Visibility.Link, downloadable: true })
  })

  test('is given when a file is published, which is rewarded only if it is for everyone', async () => {
    await site.configure({ 'score.upload_document': '5', 'score.upload_document_limit': '100' })
    const shelf = await site.category('新书')
    const publish = async (visibility: Visibility) => {
      const { id } = await site.upload(author)
      const input = { document: [{ attachment_id: id }], category_id: [shelf], visibility, downloadable: false }
      const [created] = (await author.call(documents.create, input)).document
      return author.call(documents.get, { id: created?.id ?? 0 })
    }
    const balance = async () => (await author.call(users.get, { id: author.id })).credit_count
    const before = await balance()
    expect(await publish(Visibility.Private)).toMatchObject({ visibility: Visibility.Private, downloadable: false })
    expect(await balance()).toBe(before)
    await publish(Visibility.Public)
    expect(await balance()).toBe(before + 5)
  })

  test('keeps counters right through every change', async () => {
    const [shelf, other] = [await site.category('甲架'), await site.category('乙架')]
    const ids = [await addDocument({ category: [shelf] }), await addDocument({ category: [shelf] })]
    const [first = 0, second = 0] = ids
    await author.call(documents.setVisibility, { id: ids, visibility: Visibility.Private })
    await author.call(documents.update, {
      id: first,
      title: '换架',
      category_id: [other],
      visibility: Visibility.Public,
    })
    await author.call(documents.update, { id: first, title: '换架', category_id: [shelf], visibility: Visibility.Link })
    await author.call(documents.delete, { id: [second] })
    await site.root.call(documentRecycle.restore, { id: [second] })
    await site.root.call(documents.setOwner, { document_id: [second], user_id: reader.id })
    await reader.call(documents.setVisibility, { id: [second], visibility: Visibility.Public })
    const { doc_count } = await site.db
      .selectFrom('category')
      .select('doc_count')
      .where('id', '=', shelf)
      .executeTakeFirstOrThrow()
    expect(doc_count).toBe(1)
    const wrong = await Array.fromAsync(findWrongCounters(await site.app.context()))
    expect(wrong.filter(({ counter }) => counter.column === 'doc_count')).toEqual([])
  })

  test('of a deleted document is no reason to tell that it was there', async () => {
    const id = await addDocument({ visibility: Visibility.Private })
    await author.call(documents.delete, { id: [id] })
    const { reason } = await refusal(reader.call(documents.get, { id }))
    expect(reason).toBe(errors.documents.notFound().reason)
  })

  test('filters the own list and that of the staff', async () => {
    const owner = await site.author()
    const [hidden] = await site.addDocuments({ owner, visibility: Visibility.Private }, { owner })
    const own = await owner.call(documents.list, { user_id: [owner.id], visibility: [Visibility.Private] })
    expect(own.document.map(({ id }) => id)).toEqual([hidden])
    const filter = { user_id: [owner.id], visibility: [Visibility.Public] }
    expect((await site.root.call(documents.list, filter)).total).toBe(1)
  })
})
