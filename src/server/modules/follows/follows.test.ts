import { CollectionVisibility, FollowTarget } from '#shared/collections.ts'
import { collections } from '#shared/contract/collections.ts'
import { documents } from '#shared/contract/documents.ts'
import { follows } from '#shared/contract/follows.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, Visibility } from '#shared/enums.ts'
import { NotificationKind, NotificationMail } from '#shared/notification-kinds.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notifyFollowers } from '#server/modules/notifications/notify-followers.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const minute = 60_000

let site: CommunitySite
let author: Person
let follower: Person
beforeAll(async () => {
  site = await openCommunitySite()
  await site.suspendSchedules()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.member()
  follower = await site.member()
})

const { Author, Category, Collection } = FollowTarget
const { Public, Private } = CollectionVisibility

/** Documents that wait for review, and are published by it. */
async function publish(...fixtures: Parameters<CommunitySite['addDocuments']>): Promise<number[]> {
  const ids = await site.addDocuments(
    ...fixtures.map((fixture) => ({ owner: author, ...fixture, status: DocumentStatus.InReview })),
  )
  await site.root.call(documents.review, { id: ids, status: DocumentStatus.Pending })
  return ids
}

/** What the bell has once everything has been gathered and delivered. */
async function bellOf({ call }: Person) {
  await site.runDueJobs()
  site.advanceClock(2 * minute)
  await site.runDueJobs()
  return (await call(notifications.list, { kind: newsKinds })).notification
}

/** One batch for each. */
async function publishApart(...titles: string[]): Promise<void> {
  for (const title of titles) {
    await publish({ title })
    await bellOf(follower)
    site.advanceClock(60 * minute)
  }
}

/** The batches of an author, the oldest first. */
async function batchesOf({ id }: Person): Promise<string[]> {
  const rows = site.db.selectFrom('follow_news').select('batch').where('kind', '=', Author).where('target_id', '=', id)
  return (await rows.orderBy('id').execute()).map(({ batch }) => batch)
}

async function deliver(batch: string): Promise<void> {
  await notifyFollowers(await site.app.context(), { batch, after: 0 })
}

/** As batches were named before they had a time. */
async function renameBatch(from: string, to: string): Promise<void> {
  await site.db.updateTable('follow_news').set({ batch: to }).where('batch', '=', from).execute()
  for (const column of ['params', 'event_key'] as const)
    await site.db
      .updateTable('notification')
      .set({ [column]: sql<string>`replace(${sql.ref(column)}, ${from}, ${to})` })
      .execute()
}

function rowsOf({ id }: Person) {
  const rows = site.db
    .selectFrom('notification')
    .selectAll()
    .where('user_id', '=', id)
    .where('kind', '=', NotificationKind.NewByAuthor)
  return rows.orderBy('id').execute()
}

const newsKinds = [NotificationKind.NewByAuthor, NotificationKind.NewInCategory, NotificationKind.NewInCollection]

async function makeCollection(title = '书单', visibility: CollectionVisibility = Public) {
  const [id = 0] = await site.addDocuments({ title: '第一份' })
  const item = [{ type: ContentType.Document, content_id: id }]
  return author.call(collections.create, { title, visibility, item })
}

describe('following', () => {
  test('counts followers once, and unfollowing takes them away', async () => {
    const target = { kind: Author, target_id: author.id }
    expect(await follower.call(follows.create, target)).toEqual({ following: true, follower_count: 1 })
    expect(await follower.call(follows.create, target)).toEqual({ following: true, follower_count: 1 })
    expect(await site.call(follows.state, target)).toEqual({ following: false, follower_count: 1 })
    expect(await site.call(users.get, { id: author.id })).toMatchObject({ fans_count: 1 })
    expect(await site.call(users.get, { id: follower.id })).toMatchObject({ follow_count: 1 })
    await follower.call(follows.delete, target)
    await follower.call(follows.delete, target)
    expect(await follower.call(follows.state, target)).toEqual({ following: false, follower_count: 0 })
    expect(await site.call(users.get, { id: author.id })).toMatchObject({ fans_count: 0 })
  })

  test('is for others, for categories in use and for public collections', async () => {
    expect(await refusal(author.call(follows.create, { kind: Author, target_id: author.id }))).toMatchObject({
      status: 403,
    })
    const off = await site.category('停用', { enable: 0 })
    expect(await refusal(follower.call(follows.create, { kind: Category, target_id: off }))).toMatchObject({
      status: 404,
    })
    const hidden = await makeCollection('自己看', Private)
    const following = follower.call(follows.create, { kind: Collection, target_id: hidden.id })
    expect(await refusal(following)).toMatchObject({ status: 404 })
    const own = await makeCollection()
    expect(await refusal(author.call(follows.create, { kind: Collection, target_id: own.id }))).toMatchObject({
      status: 403,
    })
  })

  test('is listed by kind; what was hidden since has no title', async () => {
    const category = await site.category('数学')
    const collection = await makeCollection()
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await follower.call(follows.create, { kind: Category, target_id: category })
    await follower.call(follows.create, { kind: Collection, target_id: collection.id })
    const listOf = async (kind: FollowTarget) => (await follower.call(follows.list, { kind })).follow
    expect(await listOf(Author)).toMatchObject([{ title: author.username, href: `/user/${author.id}` }])
    expect(await listOf(Category)).toMatchObject([{ title: '数学', href: `/category/${category}`, follower_count: 1 }])
    expect(await listOf(Collection)).toMatchObject([{ title: '书单', href: `/collection/${collection.uuid}` }])
    await author.call(collections.update, { id: collection.id, title: '书单', visibility: Private })
    expect(await listOf(Collection)).toMatchObject([{ title: '', href: '' }])
    await author.call(collections.delete, { id: [collection.id] })
    await site.runDueJobs()
    expect(await listOf(Collection)).toEqual([])
  })

  test('of a collection that is hidden since is not counted for others', async () => {
    const collection = await makeCollection()
    const target = { kind: Collection, target_id: collection.id }
    expect(await follower.call(follows.create, target)).toEqual({ following: true, follower_count: 1 })
    await author.call(collections.update, { id: collection.id, title: '书单', visibility: Private })
    expect(await site.call(follows.state, target)).toEqual({ following: false, follower_count: 0 })
    expect(await follower.call(follows.state, target)).toEqual({ following: true, follower_count: 0 })
    expect(await author.call(follows.state, target)).toEqual({ following: false, follower_count: 1 })
  })

  test('ends with an account that very many follow, and counts down for each', async () => {
    const many = 1100
    const [collection, other] = [await makeCollection(), await site.member()]
    const rows = Array.from({ length: many }, (_, index) => ({ user_id: 6_000_000 + index, kind: Author }))
    await site.db
      .insertInto('follow')
      .values(rows.map((row) => ({ ...row, target_id: follower.id, created_at: Date.now() })))
      .execute()
    await other.call(follows.create, { kind: Author, target_id: follower.id })
    await follower.call(follows.create, { kind: Author, target_id: other.id })
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await follower.call(follows.create, { kind: Collection, target_id: collection.id })
    await site.root.call(users.delete, { id: [follower.id], password: site.root.password })
    await site.runDueJobs()
    const left = site.db
      .selectFrom('follow')
      .select('id')
      .where(({ or, eb }) => or([eb('user_id', '=', follower.id), eb('target_id', '=', follower.id)]))
      .where('kind', '=', Author)
    expect(await left.execute()).toEqual([])
    expect(await site.call(users.get, { id: other.id })).toMatchObject({ follow_count: 0, fans_count: 0 })
    expect(await site.call(users.get, { id: author.id })).toMatchObject({ fans_count: 0 })
    const state = await author.call(follows.state, { kind: Collection, target_id: collection.id })
    expect(state.follower_count).toBe(0)
  })

  test('ends with either account', async () => {
    const other = await site.member()
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await other.call(follows.create, { kind: Author, target_id: author.id })
    await site.root.call(users.delete, { id: [follower.id], password: site.root.password })
    await site.runDueJobs()
    expect(await site.call(users.get, { id: author.id })).toMatchObject({ fans_count: 1 })
    await site.root.call(users.delete, { id: [author.id], password: site.root.password })
    await site.runDueJobs()
    expect(await site.call(users.get, { id: other.id })).toMatchObject({ follow_count: 0 })
  })
})

describe('the bell', () => {
  test('has a document of a followed author, once', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    const [id = 0] = await publish({ title: '线性代数' })
    const bell = await bellOf(follower)
    expect(bell).toMatchObject([
      {
        kind: NotificationKind.NewByAuthor,
        title: `${author.username} 发布了文档《线性代数》`,
        href: expect.stringMatching(/^\/document\//),
      },
    ])
    expect(await bellOf(author)).toEqual([])
    // Hidden and shown again, it is not new any more.
    await follower.call(notifications.read, { all: true })
    for (const status of [DocumentStatus.Disabled, DocumentStatus.Converted])
      await site.root.call(documents.review, { id: [id], status })
    site.advanceClock(60 * minute)
    expect(await bellOf(follower)).toHaveLength(1)
  })

  test('has fifty documents at once as one', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publish(...Array.from({ length: 49 }, (_, index) => ({ title: `讲义 ${index + 1}` })))
    await publish({ title: '讲义 50' })
    expect(await bellOf(follower)).toMatchObject([
      {
        title: `${author.username} 发布了 50 份文档`,
        href: `/user/${author.id}`,
        excerpt: expect.stringContaining('《讲义'),
      },
    ])
  })

  test('adds up what is unread, and leaves out what was hidden since', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    const [first = 0] = await publish({ title: '甲' })
    await bellOf(follower)
    site.advanceClock(60 * minute)
    await publish({ title: '乙' }, { title: '丙' })
    site.advanceClock(60 * minute)
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了 3 份文档` }])
    await author.call(documents.setVisibility, { id: [first], visibility: Visibility.Private })
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了 2 份文档` }])
  })

  test('has what a followed category gets, unless its author is followed too', async () => {
    const category = await site.category('物理')
    const both = await site.member()
    await follower.call(follows.create, { kind: Category, target_id: category })
    await both.call(follows.create, { kind: Category, target_id: category })
    await both.call(follows.create, { kind: Author, target_id: author.id })
    await author.call(follows.create, { kind: Category, target_id: category })
    await publish({ title: '力学', category: [category] }, { title: '电学', category: [category] })
    expect(await bellOf(follower)).toMatchObject([
      { kind: NotificationKind.NewInCategory, title: '分类“物理”新增了 2 份文档', href: `/category/${category}` },
    ])
    expect(await bellOf(both)).toMatchObject([{ kind: NotificationKind.NewByAuthor }])
    expect(await bellOf(author)).toEqual([])
  })

  test('leaves out of a category what followed authors published in between', async () => {
    const category = await site.category('地理')
    const other = await site.member()
    await follower.call(follows.create, { kind: Category, target_id: category })
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    for (const owner of [other, author, other]) {
      await publish({ title: '地图', owner, category: [category] })
      await bellOf(follower)
      site.advanceClock(60 * minute)
    }
    // An author who is followed later changes nothing.
    await follower.call(follows.create, { kind: Author, target_id: other.id })
    expect(await bellOf(follower)).toMatchObject([
      { title: '分类“地理”新增了 2 份文档' },
      { title: `${author.username} 发布了文档《地图》` },
    ])
  })

  test('has what is added to a followed collection, but for what not everyone may see', async () => {
    const collection = await makeCollection()
    await follower.call(follows.create, { kind: Collection, target_id: collection.id })
    const [open = 0, secret = 0] = await site.addDocuments(
      { title: '公开的' },
      { title: '秘密', owner: author, visibility: Visibility.Private },
    )
    const item = [open, secret].map((content_id) => ({ type: ContentType.Document, content_id }))
    await author.call(collections.addItems, { collection_id: collection.id, item })
    expect(await bellOf(follower)).toMatchObject([
      {
        kind: NotificationKind.NewInCollection,
        title: '文集《书单》新增了文档《公开的》',
        href: `/collection/${collection.uuid}`,
      },
    ])
    await author.call(collections.update, { id: collection.id, title: '书单', visibility: Private })
    const [hidden] = await bellOf(follower)
    expect(hidden).toMatchObject({ is_gone: true, title: expect.not.stringContaining('书单') })
  })

  test('waits for a document that is being converted, and says nothing of one that is not for everyone', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    const [id = 0] = await publish({ title: '转换中' })
    await publish({ title: '登录可见', visibility: Visibility.Members })
    await site.db.updateTable('document').set({ status: DocumentStatus.Converting }).where('id', '=', id).execute()
    expect(await bellOf(follower)).toEqual([])
    await site.db.updateTable('document').set({ status: DocumentStatus.Converted }).where('id', '=', id).execute()
    site.advanceClock(10 * minute)
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了文档《转换中》` }])
  })

  test('comes by mail as the member chooses', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await follower.call(notifications.choose, {
      choice: [{ kind: NotificationKind.NewByAuthor, mail: NotificationMail.Off }],
    })
    await publish({ title: '甲' })
    expect(await bellOf(follower)).toHaveLength(1)
    const rows = site.db.selectFrom('notification').select('mail_at').where('user_id', '=', follower.id)
    expect(await rows.execute()).toEqual([{ mail_at: null }])
  })

  test('has one notification of an author who publishes all day, until it is read', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    for (const title of ['甲', '乙', '丙']) {
      await publish({ title })
      await bellOf(follower)
      site.advanceClock(60 * minute)
    }
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了 3 份文档` }])
    expect(await rowsOf(follower)).toHaveLength(1)
    await follower.call(notifications.read, { all: true })
    await publish({ title: '丁' })
    const bell = await bellOf(follower)
    expect(bell.map(({ title }) => title)).toEqual([
      `${author.username} 发布了文档《丁》`,
      `${author.username} 发布了 3 份文档`,
    ])
    expect(await rowsOf(follower)).toHaveLength(2)
  })

  test('tells each member once, also if a worker is killed after it has told them', async () => {
    const reader = await site.member()
    for (const person of [follower, reader]) await person.call(follows.create, { kind: Author, target_id: author.id })
    for (const title of ['甲', '乙']) {
      await publish({ title })
      await bellOf(follower)
      site.advanceClock(60 * minute)
    }
    const titles = [`${author.username} 发布了 2 份文档`]
    await reader.call(notifications.read, { all: true })
    const { batch } = await site.db
      .selectFrom('follow_news')
      .select('batch')
      .where('target_id', '=', author.id)
      .where('kind', '=', Author)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const before = [await rowsOf(follower), await rowsOf(reader)]
    await notifyFollowers(await site.app.context(), { batch, after: 0 })
    expect([await rowsOf(follower), await rowsOf(reader)]).toEqual(before)
    for (const person of [follower, reader]) expect((await bellOf(person)).map(({ title }) => title)).toEqual(titles)
  })

  test('tells no member again of a batch that is delivered again after a newer one', async () => {
    const [reader, remover] = [await site.member(), await site.member()]
    const people = [follower, reader, remover]
    for (const person of people) await person.call(follows.create, { kind: Author, target_id: author.id })
    await publishApart('甲', '乙', '丙')
    await reader.call(notifications.read, { all: true })
    const removed = (await bellOf(remover)).map(({ id }) => id)
    await remover.call(notifications.delete, { id: removed })
    const before = await Promise.all(people.map(rowsOf))
    for (const batch of (await batchesOf(author)).toReversed()) await deliver(batch)
    expect(await Promise.all(people.map(rowsOf))).toEqual(before)
    for (const person of [follower, reader])
      expect(await bellOf(person)).toMatchObject([{ title: `${author.username} 发布了 3 份文档` }])
    expect(await bellOf(remover)).toEqual([])
  })

  test('adds a batch that is delivered after a newer one', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publishApart('甲', '乙')
    const [older = '', newer = ''] = await batchesOf(author)
    await site.db.deleteFrom('notification').where('user_id', '=', follower.id).execute()
    await deliver(newer)
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了文档《乙》` }])
    await deliver(older)
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了 2 份文档` }])
  })

  test('keeps a notification whose batch has no time beside the next one', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publishApart('甲')
    await renameBatch((await batchesOf(author))[0] ?? '', `z${author.id}`)
    await publishApart('乙', '丙')
    expect((await bellOf(follower)).map(({ title }) => title)).toEqual([
      `${author.username} 发布了 2 份文档`,
      `${author.username} 发布了文档《甲》`,
    ])
  })

  test('tells of a waiting batch without a time apart, once', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publishApart('甲', '乙')
    const [first = '', last = ''] = await batchesOf(author)
    const params = JSON.stringify({ batch: first, target: author.id })
    await site.db.updateTable('notification').set({ params }).where('user_id', '=', follower.id).execute()
    const waiting = `z${author.id}`
    await site.db.updateTable('follow_news').set({ batch: waiting }).where('batch', '=', last).execute()
    await deliver(waiting)
    await deliver(waiting)
    expect((await bellOf(follower)).map(({ title }) => title).toSorted()).toEqual(
      [`${author.username} 发布了文档《乙》`, `${author.username} 发布了文档《甲》`].toSorted(),
    )
  })

  test('counts all of a group of notifications that each have a batch', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publishApart('甲')
    await follower.call(notifications.read, { all: true })
    await publishApart('乙')
    const [head, grouped] = await rowsOf(follower)
    await site.db
      .updateTable('notification')
      .set({ group_id: head?.id ?? 0 })
      .where('id', '=', grouped?.id ?? 0)
      .execute()
    for (const [index, batch] of (await batchesOf(author)).entries()) await renameBatch(batch, `z${index}${author.id}`)
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了 2 份文档` }])
  })

  test('is mailed again when something is new, and not before', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publish({ title: '甲' })
    await bellOf(follower)
    const [due] = await rowsOf(follower)
    expect(due?.mail_at).toBeGreaterThan(0)
    site.advanceClock(60 * minute)
    await publish({ title: '乙' })
    await bellOf(follower)
    // The digest that waits has both.
    expect(await rowsOf(follower)).toMatchObject([{ mail_at: due?.mail_at }])
    await site.db.updateTable('notification').set({ mail_at: null }).where('user_id', '=', follower.id).execute()
    site.advanceClock(60 * minute)
    await publish({ title: '丙' })
    await bellOf(follower)
    expect((await rowsOf(follower))[0]?.mail_at).toBeGreaterThan(0)
  })

  test('has older news beside those of an author who has published for months', async () => {
    const category = await site.category('化学')
    await follower.call(follows.create, { kind: Category, target_id: category })
    await publish({ title: '有机化学', category: [category] })
    await bellOf(follower)
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    const count = 1100
    const ids = await site.addDocuments(...Array.from({ length: count }, () => ({ owner: author, title: '乙' })))
    await publish({ title: '甲' })
    await bellOf(follower)
    const [first] = await rowsOf(follower)
    const { batch } = JSON.parse(first?.params ?? '')
    await site.db
      .insertInto('follow_news')
      .values(
        ids.map((content_id) => ({
          kind: Author,
          target_id: author.id,
          content_type: ContentType.Document,
          content_id,
          batch,
          created_at: Date.now(),
        })),
      )
      .execute()
    const bell = await bellOf(follower)
    // No more are counted.
    expect(bell.map(({ title }) => title)).toEqual([
      `${author.username} 发布了 1000 份文档`,
      expect.stringContaining('有机化学'),
    ])
    expect(bell[0]?.excerpt.match(/《/g)).toHaveLength(3)
  })

  test('has what was read, however much is new since', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publishApart('甲')
    await follower.call(notifications.read, { all: true })
    const row = { kind: Author, target_id: author.id, content_type: ContentType.Document, created_at: Date.now() }
    const ids = Array.from({ length: 1100 }, (_, index) => 5_000_000 + index)
    await site.db
      .insertInto('follow_news')
      .values(ids.map((content_id) => ({ ...row, content_id, batch: '99999999999999-' })))
      .execute()
    expect(await bellOf(follower)).toMatchObject([{ title: `${author.username} 发布了文档《甲》` }])
  })

  test('is shown when what it told of has left no trace', async () => {
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publish({ title: '甲' })
    await bellOf(follower)
    await site.db.updateTable('notification').set({ params: '{}' }).where('user_id', '=', follower.id).execute()
    expect(await bellOf(follower)).toMatchObject([{ is_gone: true }])
  })

  test('reaches more followers than one slice has', async () => {
    const many = 1100
    const now = Date.now()
    await site.db
      .insertInto('follow')
      .values(
        Array.from({ length: many }, (_, index) => ({
          user_id: 5_000_000 + index,
          kind: Author,
          target_id: author.id,
          created_at: now,
        })),
      )
      .execute()
    // After all the accounts that are gone.
    await follower.call(follows.create, { kind: Author, target_id: author.id })
    await publish({ title: '甲' })
    expect(await bellOf(follower)).toHaveLength(1)
  })
})
