import { CollectionVisibility, maxCollections } from '#shared/collections.ts'
import { punishments } from '#shared/contract/access.ts'
import { audits } from '#shared/contract/audit.ts'
import { type Collection, collections } from '#shared/contract/collections.ts'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, Punishment, ReviewStatus, Visibility } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: CommunitySite
let owner: Person
let reader: Person
beforeAll(async () => {
  site = await openCommunitySite()
})
afterAll(() => site.close())
beforeEach(async () => {
  owner = await site.member()
  reader = await site.member()
})

const { Public, Unlisted, Private } = CollectionVisibility
const document = (content_id = 0) => ({ type: ContentType.Document, content_id })

interface Making {
  by?: Person
  title?: string
  visibility?: CollectionVisibility
  item?: { type: ContentType; content_id: number }[]
}

function make({ by = owner, title = '考研资料', visibility = Public, item = [] }: Making = {}): Promise<Collection> {
  return by.call(collections.create, { title, visibility, item })
}

async function titlesFor(person: Pick<Person, 'call'>, { uuid }: { uuid: string }): Promise<string[]> {
  const { total, item } = await person.call(collections.items, { uuid })
  expect(total).toBe(item.length)
  return item.map(({ title }) => title)
}

describe('a collection', () => {
  test('holds documents and articles in the order of its owner, with notes', async () => {
    const [first = 0, second = 0] = await site.addDocuments({ title: '甲' }, { title: '乙' })
    const { document_id: article } = await site.article({ title: '丙' })
    const made = await make({ item: [document(first)] })
    await owner.call(collections.addItems, {
      collection_id: made.id,
      item: [document(second), { type: ContentType.Article, content_id: article }],
    })
    expect(await titlesFor(site, made)).toEqual(['甲', '乙', '丙'])
    const { item } = await owner.call(collections.items, { uuid: made.uuid })
    const [a = 0, b = 0, c = 0] = item.map(({ id }) => id)
    await owner.call(collections.reorderItems, { collection_id: made.id, id: [c, a, b] })
    await owner.call(collections.updateItem, { id: c, note: '先读这一篇' })
    expect(await titlesFor(site, made)).toEqual(['丙', '甲', '乙'])
    expect((await site.call(collections.items, { uuid: made.uuid })).item[0]).toMatchObject({ note: '先读这一篇' })
    await owner.call(collections.removeItems, { id: [a] })
    expect(await titlesFor(site, made)).toEqual(['丙', '乙'])
    expect(await site.call(collections.get, { uuid: made.uuid })).toMatchObject({ item_count: 2, user_id: owner.id })
  })

  test('takes the same document once, and new ones at its end', async () => {
    const [first = 0, second = 0] = await site.addDocuments({ title: '甲' }, { title: '乙' })
    const made = await make({ item: [document(first)] })
    const again = await owner.call(collections.addItems, {
      collection_id: made.id,
      item: [document(first), document(second)],
    })
    expect(again.id).toHaveLength(1)
    expect(await titlesFor(owner, made)).toEqual(['甲', '乙'])
  })

  test('is changed by its owner alone', async () => {
    const [id = 0] = await site.addDocuments({})
    const made = await make({ item: [document(id)] })
    const { item } = await site.call(collections.items, { uuid: made.uuid })
    const itemId = item[0]?.id ?? 0
    const change = { id: made.id, title: '改', visibility: Public }
    expect(await refusal(reader.call(collections.update, change))).toMatchObject({ status: 404 })
    expect(await refusal(reader.call(collections.updateItem, { id: itemId, note: '改' }))).toMatchObject({
      status: 404,
    })
    expect(await refusal(reader.call(collections.delete, { id: [made.id] }))).toMatchObject({ status: 403 })
    await reader.call(collections.removeItems, { id: [itemId] })
    expect(await titlesFor(site, made)).toHaveLength(1)
  })

  test('that is deleted leaves its documents', async () => {
    const [id = 0] = await site.addDocuments({ title: '留下' })
    const made = await make({ item: [document(id)] })
    await owner.call(collections.delete, { id: [made.id] })
    expect(await refusal(owner.call(collections.get, { uuid: made.uuid }))).toMatchObject({ status: 404 })
    expect((await owner.call(documents.get, { id })).title).toBe('留下')
  })

  test('has a title that can be seen', async () => {
    expect(await refusal(make({ title: '\u200b\u2800' }))).toMatchObject({ status: 400 })
  })

  test('is one of a limited number, and takes a limited number of items', async () => {
    const now = Date.now()
    const row = { user_id: owner.id, title: '满', description: '', visibility: Public, status: ReviewStatus.Approved }
    await site.db
      .insertInto('collection')
      .values(
        Array.from({ length: maxCollections }, (_, index) => ({
          ...row,
          uuid: `many-${owner.id}-${index}`,
          ip: '',
          created_at: now,
          updated_at: now,
        })),
      )
      .execute()
    expect(await refusal(make())).toMatchObject({ status: 409, message: expect.stringContaining('200') })
    const made = await make({ by: reader })
    await site.db
      .insertInto('collection_item')
      .values(
        Array.from({ length: 500 }, (_, index) => ({
          collection_id: made.id,
          content_type: ContentType.Document,
          content_id: 1_000_000 + index,
          sort: 0,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute()
    const [id = 0] = await site.addDocuments({})
    const adding = reader.call(collections.addItems, { collection_id: made.id, item: [document(id)] })
    expect(await refusal(adding)).toMatchObject({ status: 409, message: expect.stringContaining('500') })
  })
})

describe('what a reader sees', () => {
  test('of the items follows their own visibility, and so do the counts', async () => {
    const [open = 0, members = 0, secret = 0, waiting = 0, deleted = 0] = await site.addDocuments(
      { title: '公开', owner },
      { title: '登录', owner, visibility: Visibility.Members },
      { title: '自己', owner, visibility: Visibility.Private },
      { title: '待审', owner, status: DocumentStatus.InReview },
      { title: '删除', owner },
    )
    const made = await make({ item: [open, members, secret, waiting, deleted].map(document) })
    await owner.call(documents.delete, { id: [deleted] })
    expect(await titlesFor(owner, made)).toEqual(['公开', '登录', '自己', '待审'])
    expect(await titlesFor(reader, made)).toEqual(['公开', '登录'])
    expect(await titlesFor(site, made)).toEqual(['公开'])
    const countFor = async ({ call }: Pick<Person, 'call'>) =>
      (await call(collections.get, { uuid: made.uuid })).item_count
    expect([await countFor(owner), await countFor(reader), await countFor(site)]).toEqual([4, 2, 1])
    const { item } = await owner.call(collections.items, { uuid: made.uuid })
    const hidden = item.find(({ is_public }) => !is_public)
    expect(hidden?.title).toBe('登录')
  })

  test('cannot be asked for by adding a hidden document to an own collection', async () => {
    const [secret = 0] = await site.addDocuments({ owner, visibility: Visibility.Private })
    const made = await make({ by: reader })
    const adding = reader.call(collections.addItems, { collection_id: made.id, item: [document(secret)] })
    expect(await refusal(adding)).toMatchObject({ status: 404 })
  })

  test('of collections follows their visibility', async () => {
    const [id = 0] = await site.addDocuments({})
    const item = [document(id)]
    const [open, byLink, own] = [
      await make({ title: '公开的', item }),
      await make({ title: '凭链接的', visibility: Unlisted, item }),
      await make({ title: '自己的', visibility: Private, item }),
    ]
    await make({ title: '空的' })
    expect((await site.call(collections.get, { uuid: byLink.uuid })).title).toBe('凭链接的')
    expect(await refusal(reader.call(collections.get, { uuid: own.uuid }))).toMatchObject({ status: 404 })
    expect(await refusal(reader.call(collections.items, { uuid: own.uuid }))).toMatchObject({ status: 404 })
    const listed = (await reader.call(collections.list, { user_id: owner.id })).collection
    expect(listed.map(({ uuid }) => uuid)).toEqual([open.uuid])
    expect((await owner.call(collections.own)).total).toBe(4)
  })

  test('of a purged document is nothing, for its owner too', async () => {
    const [id = 0] = await site.addDocuments({ owner, deleted_at: 1 })
    const made = await make()
    await site.db
      .insertInto('collection_item')
      .values({
        collection_id: made.id,
        content_type: ContentType.Document,
        content_id: id,
        sort: 0,
        created_at: 0,
        updated_at: 0,
      })
      .execute()
    await site.db.updateTable('collection').set({ item_count: 1 }).where('id', '=', made.id).execute()
    await site.root.call(documentRecycle.delete, { id: [id] })
    await site.runDueJobs()
    const rows = site.db.selectFrom('collection_item').select('id').where('collection_id', '=', made.id)
    expect(await rows.execute()).toEqual([])
    const collection = site.db.selectFrom('collection').select('item_count').where('id', '=', made.id)
    expect(await collection.executeTakeFirst()).toEqual({ item_count: 0 })
  })
})

test('the dialog of a document knows which collections have it', async () => {
  const [id = 0] = await site.addDocuments({})
  const [without, having] = [await make({ title: '没有' }), await make({ title: '有', item: [document(id)] })]
  await make({ by: reader, item: [document(id)] })
  const { collection } = await owner.call(collections.holding, document(id))
  const has = new Map(collection.map((row) => [row.id, row.item_id > 0]))
  expect(has).toEqual(
    new Map([
      [having.id, true],
      [without.id, false],
    ]),
  )
})

test('the most followed come first in the popular list', async () => {
  const [id = 0] = await site.addDocuments({})
  const [less, more] = [await make({ item: [document(id)] }), await make({ item: [document(id)] })]
  await site.db.updateTable('collection').set({ follower_count: 5 }).where('id', '=', less.id).execute()
  await site.db.updateTable('collection').set({ follower_count: 9 }).where('id', '=', more.id).execute()
  const { collection } = await site.call(collections.list, { user_id: owner.id, order: 'popular' })
  expect(collection.map((row) => row.id)).toEqual([more.id, less.id])
})

describe('texts', () => {
  test('of members whose comments are reviewed wait for approval, and again when they are rewritten', async () => {
    const newcomer = await site.reviewedMember()
    const [id = 0] = await site.addDocuments({})
    const made = await make({ by: newcomer, item: [document(id)] })
    expect(made.status).toBe(ReviewStatus.Pending)
    expect(await refusal(site.call(collections.get, { uuid: made.uuid }))).toMatchObject({ status: 404 })
    await site.root.call(collections.review, { id: [made.id], status: ReviewStatus.Approved })
    expect((await site.call(collections.get, { uuid: made.uuid })).title).toBe('考研资料')
    const other = { id: made.id, title: '广告', visibility: Public }
    expect(await newcomer.call(collections.update, other)).toMatchObject({ status: ReviewStatus.Pending })
    expect(await refusal(site.call(collections.get, { uuid: made.uuid }))).toMatchObject({ status: 404 })
    await site.runDueJobs()
    const { notification } = await newcomer.call(notifications.list)
    expect(notification).toMatchObject([{ title: '您的文集《广告》已通过审核', href: `/collection/${made.uuid}` }])
  })

  test('that staff reject are hidden with a reason for the owner, and audited', async () => {
    const made = await make({ title: '加微信' })
    const reviewer = await site.staff('CollectionAPI/ListCollection', 'CollectionAPI/CheckCollection')
    await reviewer.call(collections.review, { id: [made.id], status: ReviewStatus.Rejected, reason: '广告' })
    expect(await refusal(reader.call(collections.get, { uuid: made.uuid }))).toMatchObject({ status: 404 })
    expect(await owner.call(collections.get, { uuid: made.uuid })).toMatchObject({ reject_reason: '广告' })
    const { collection } = await reviewer.call(collections.manage, { status: [ReviewStatus.Rejected] })
    expect(collection.map(({ id }) => id)).toContain(made.id)
    const { audit } = await site.root.call(audits.list, { user_id: [reviewer.id] })
    expect(audit.some(({ change }) => change.includes('广告'))).toBe(true)
    // An edit brings it before the staff again.
    const edited = await owner.call(collections.update, { id: made.id, title: '资料', visibility: Public })
    expect(edited).toMatchObject({ status: ReviewStatus.Pending, reject_reason: '' })
  })

  test('are refused from members who may not comment; a private collection is not', async () => {
    await site.root.call(punishments.create, {
      enable: true,
      reason: '灌水',
      user_id: [owner.id],
      type: [Punishment.NoComment],
    })
    expect(await refusal(make())).toMatchObject({ status: 403 })
    expect((await make({ visibility: Private })).id).toBeGreaterThan(0)
  })
})

test('staff who may delete collections delete those of others', async () => {
  const made = await make()
  const staff = await site.staff('CollectionAPI/DeleteCollection')
  await staff.call(collections.delete, { id: [made.id] })
  expect(await refusal(owner.call(collections.get, { uuid: made.uuid }))).toMatchObject({ status: 404 })
})

test('the collections of a deleted account are gone', async () => {
  const made = await make()
  await site.root.call(users.delete, { id: [owner.id], password: site.root.password })
  await site.runDueJobs()
  expect(await refusal(site.root.call(collections.get, { uuid: made.uuid }))).toMatchObject({ status: 404 })
})
