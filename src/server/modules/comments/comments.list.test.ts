import { allCodes } from '#shared/codes.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ReviewStatus, ContentType, Visibility } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { comments } from '#shared/contract/comments.ts'
import { anonymous, type Viewer } from '#server/context.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { canSee as canSeeArticle } from '#server/modules/articles/articles.policy.ts'
import { canSee as canSeeDocument } from '#server/modules/documents/visibility/visibility.policy.ts'

let site: CommunitySite
let reader: Person
let novice: Person
let manager: Person
beforeAll(async () => {
  site = await openCommunitySite()
  reader = await site.member()
  novice = await site.reviewedMember()
  manager = await site.staff('CommentAPI/ListComment', 'CommentAPI/GetComment', 'CommentAPI/UpdateComment')
})
afterAll(() => site.close())

const idsOf = ({ comment }: { comment: { id: number }[] }) => comment.map(({ id }) => id)

describe('the list', () => {
  test('of a document has all its visible comments, whatever page is requested', async () => {
    const on = await site.document()
    const first = await site.comment(reader, { on })
    const pending = await site.comment(novice, { on })
    const last = await site.comment(reader, { on, to: first.id })
    const { document_id } = on
    const all = { document_id, page: 7, size: 1 }
    expect(await site.call(comments.list, all)).toMatchObject({
      total: 2,
      comment: [{ id: last.id }, { id: first.id }],
    })
    expect(idsOf(await site.call(comments.list, { ...all, order: 'created_at asc' }))).toEqual([first.id, last.id])
    const { Pending, Rejected } = ReviewStatus
    for (const status of [[Pending], [Rejected], [Pending, Rejected]])
      expect(await site.call(comments.list, { document_id, status })).toEqual({ total: 0, comment: [] })
    expect(
      idsOf(
        await site.call(comments.list, {
          document_id,
          status: [ReviewStatus.Pending, ReviewStatus.Approved, ReviewStatus.Rejected],
        }),
      ),
    ).toEqual([last.id, first.id])
    expect(idsOf(await novice.call(comments.list, { document_id, user_id: novice.id }))).toEqual([pending.id])
    expect(idsOf(await reader.call(comments.list, { document_id, user_id: novice.id }))).toEqual([])
    expect(idsOf(await manager.call(comments.list, { document_id }))).toEqual([last.id, pending.id, first.id])
    expect(idsOf(await manager.call(comments.list, { document_id, status: [ReviewStatus.Pending] }))).toEqual([
      pending.id,
    ])
    expect(idsOf(await site.call(comments.list, { document_id, parent_id: [first.id] }))).toEqual([last.id])
    expect(await site.call(comments.list, { document_id, type: [ContentType.Article] })).toEqual({
      total: 0,
      comment: [],
    })
  })

  test('has titles and uuids on request', async () => {
    const person = await site.member()
    const document = await site.document({ title: '红楼梦' })
    const article = await site.article({ title: '读书笔记' })
    for (const on of [document, article]) await site.comment(person, { on })
    const byPerson = { user_id: person.id }
    const { comment } = await site.call(comments.list, { ...byPerson, with_document_title: true })
    expect(comment).toMatchObject([
      { type: ContentType.Article, document_title: '读书笔记', document_uuid: expect.stringMatching(/^[0-9a-f]{16}$/) },
      { type: ContentType.Document, document_title: '红楼梦', document_uuid: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ])
    expect((await site.call(comments.list, byPerson)).comment[0]).toMatchObject({
      document_title: '',
      document_uuid: '',
    })
    expect((await site.call(comments.list, { ...byPerson, type: [ContentType.Document] })).total).toBe(1)
  })

  test('shows public profiles to all, IP addresses to managers only', async () => {
    const person = await site.member()
    await site.db
      .updateTable('user')
      .set({ realname: '张三', mobile: '13800000000', email: 'a@b.cn' })
      .where('id', '=', person.id)
      .execute()
    const on = await site.document()
    const comment = await site.comment(person, { on })
    const { text } = await site.send('GET', `/api/v1/comment/list?document_id=${on.document_id}`)
    for (const secret of ['张三', '13800000000', 'a@b.cn', '"ip"', 'root_id']) expect(text).not.toContain(secret)
    expect((await site.call(comments.threads, on)).comment[0]?.user).toMatchObject({
      id: person.id,
      username: person.username,
    })
    expect((await manager.call(comments.list, { user_id: person.id })).comment[0]?.ip).toMatch(/^172\.16\./)
    expect((await manager.call(comments.get, { id: comment.id })).ip).toMatch(/^172\.16\./)
    expect((await person.call(comments.list, { user_id: person.id })).comment[0]?.ip).toBe('')
  })

  test('can be searched by managers, word for word', async () => {
    const on = await site.document()
    const comment = await site.comment(reader, { on, content: '百分之100%_对' })
    expect(idsOf(await manager.call(comments.list, { wd: '100%_' }))).toEqual([comment.id])
    expect(idsOf(await manager.call(comments.list, { wd: '100__' }))).toEqual([])
    const visitors = await site.call(comments.list, { user_id: reader.id, wd: '没有这样的话' })
    expect(visitors.total).toBeGreaterThan(0)
  })

  test('is paged within limits', async () => {
    const person = await site.member()
    const on = await site.document()
    const ids: number[] = []
    for (let n = 0; n < 5; n++) ids.push((await site.comment(person, { on })).id)
    const page = (params: object) => site.call(comments.list, { user_id: person.id, ...params })
    expect(await page({ page: 2, size: 2 })).toMatchObject({ total: 5, comment: [{ id: ids[2] }, { id: ids[1] }] })
    expect(idsOf(await page({ size: 2, order: 'created_at asc' }))).toEqual(ids.slice(0, 2))
    expect(idsOf(await page({ size: 2, order: 'content asc' }))).toEqual(ids.toReversed().slice(0, 2))
    expect(idsOf(await page({ page: 1_000_000, size: 100 }))).toEqual([])
    expect(idsOf(await page({ page: -3, size: -1 }))).toHaveLength(5)
    expect(idsOf(await page({ size: 1_000_000_000 }))).toHaveLength(5)
  })

  test.each(['document_id=-1', 'document_id=x', 'status=9', 'type=2', 'user_id=1.5', 'page=x'])(
    'refuses %s',
    async (query) => {
      expect((await site.send('GET', `/api/v1/comment/list?${query}`)).status).toBe(400)
    },
  )

  test('has no reply of a hidden thread', async () => {
    const on = await site.document()
    const root = await site.comment(reader, { on })
    await site.comment(reader, { on, to: root.id })
    await site.root.call(comments.review, { id: [root.id], status: ReviewStatus.Pending })
    expect(idsOf(await site.call(comments.list, { document_id: on.document_id }))).toEqual([])
  })

  test('of a document has the latest thousand', async () => {
    const on = await site.document()
    const row = {
      ...on,
      user_id: reader.id,
      parent_id: 0,
      status: ReviewStatus.Approved,
      ip: '',
      created_at: 0,
      updated_at: 0,
    }
    const rows = Array.from({ length: 1050 }, (_, n) => ({
      ...row,
      root_id: 5_000_000 + n,
      id: 5_000_000 + n,
      content: '顶',
    }))
    for (let at = 0; at < rows.length; at += 525)
      await site.db
        .insertInto('comment')
        .values(rows.slice(at, at + 525))
        .execute()
    const { total, comment } = await site.call(comments.list, { document_id: on.document_id, order: 'id asc' })
    expect([total, comment.length, comment[0]?.id, comment.at(-1)?.id]).toEqual([1050, 1000, 5_000_050, 5_001_049])
  })
})

describe('threads', () => {
  test('with thirty authors have all their names', async () => {
    const on = await site.document()
    const names = Array.from({ length: 30 }, (_, n) => `commenter-${n}`)
    const stamps = { created_at: 0, updated_at: 0 }
    const people = await site.db
      .insertInto('user')
      .values(names.map((username) => ({ username, username_key: username, password: '', login_at: null, ...stamps })))
      .returning('id')
      .execute()
    const root = await site.comment(reader, { on })
    const replies = people.map(({ id }) => ({
      ...on,
      user_id: id,
      parent_id: root.id,
      root_id: root.id,
      status: ReviewStatus.Approved,
      ip: '',
      content: '同意',
      ...stamps,
    }))
    await site.db.insertInto('comment').values(replies).execute()
    const { comment } = await site.call(comments.threads, on)
    expect(comment[0]?.reply.map(({ user }) => user.username)).toEqual(names)
    const listed = await site.call(comments.list, { document_id: on.document_id, order: 'id asc' })
    expect(listed.comment.map(({ user }) => user.username)).toEqual([reader.username, ...names])
  })

  test('come the latest first or the oldest first, page by page', async () => {
    const on = await site.article()
    const roots: number[] = []
    for (let n = 0; n < 5; n++) roots.push((await site.comment(reader, { on })).id)
    await site.comment(reader, { on, to: roots[0] })
    const page = async (params: object) => idsOf(await site.call(comments.threads, { ...on, ...params }))
    expect(await page({})).toEqual(roots.toReversed())
    expect(await page({ order: 'oldest', size: 2 })).toEqual(roots.slice(0, 2))
    expect(await page({ page: 2, size: 2 })).toEqual([roots[2], roots[1]])
    expect(await page({ page: 0, size: 0 })).toHaveLength(5)
    expect(await site.call(comments.threads, { ...on, size: 2 })).toMatchObject({ total: 5, shown: 6 })
  })

  test('show pending comments to their author only, and no rejected ones', async () => {
    const on = await site.document()
    const root = await site.comment(reader, { on })
    const pending = await site.comment(novice, { on, to: root.id })
    const rejected = await site.comment(novice, { on })
    await site.root.call(comments.review, { id: [rejected.id], status: ReviewStatus.Rejected })
    const own = await site.comment(novice, { on })
    const visibleTo = async (person?: Person) =>
      (await (person ?? site).call(comments.threads, on)).comment.map(({ id, reply }) => [
        id,
        ...reply.map((row) => row.id),
      ])
    expect(await visibleTo()).toEqual([[root.id]])
    expect(await visibleTo(reader)).toEqual([[root.id]])
    expect(await visibleTo(manager)).toEqual([[root.id]])
    expect(await visibleTo(novice)).toEqual([[own.id], [root.id, pending.id]])
    expect((await novice.call(comments.threads, on)).shown).toBe(1)
    await site.root.call(comments.review, { id: [root.id], status: ReviewStatus.Pending })
    expect(await visibleTo(novice)).toEqual([[own.id]])
    expect(await visibleTo(reader)).toEqual([[root.id]])
    await site.root.call(comments.review, { id: [root.id, pending.id], status: ReviewStatus.Approved })
    expect(await visibleTo()).toEqual([[root.id, pending.id]])
  })

  test('have their latest two hundred replies each, the oldest of these first', async () => {
    const on = await site.document()
    const [first, second] = [await site.comment(reader, { on }), await site.comment(reader, { on })]
    const replies = [first, second].flatMap(({ id }, thread) =>
      Array.from({ length: 205 }, (_, n) => ({
        ...on,
        id: 6_000_000 + thread * 1000 + n,
        user_id: reader.id,
        parent_id: id,
        root_id: id,
        status: ReviewStatus.Approved,
        ip: '',
        content: `第 ${n} 楼`,
        created_at: 0,
        updated_at: 0,
      })),
    )
    await site.db.insertInto('comment').values(replies).execute()
    const { comment } = await site.call(comments.threads, on)
    for (const { reply } of comment)
      expect([reply.length, reply[0]?.content, reply[199]?.content]).toEqual([200, '第 5 楼', '第 204 楼'])
    expect(comment.map(({ reply }) => reply[0]?.parent_id)).toEqual([second.id, first.id])
  })

  test('count no tombstone among the two hundred, and show it only above a visible reply', async () => {
    const on = await site.document()
    const root = await site.comment(reader, { on })
    const toRow = (n: number, columns: { is_deleted?: 0 | 1; parent_id?: number } = {}) => ({
      ...on,
      id: 7_000_000 + n,
      user_id: reader.id,
      parent_id: root.id,
      root_id: root.id,
      status: ReviewStatus.Approved,
      ip: '',
      content: '',
      created_at: 0,
      updated_at: 0,
      is_deleted: 0 as const,
      ...columns,
    })
    // A tombstone above another, with replies to the lower; after them ten tombstones without replies.
    const tombstones = [toRow(0, { is_deleted: 1 }), toRow(1, { is_deleted: 1, parent_id: 7_000_000 })]
    const replies = Array.from({ length: 205 }, (_, n) => toRow(10 + n, { parent_id: n < 5 ? root.id : 7_000_001 }))
    const unneeded = Array.from({ length: 10 }, (_, n) => toRow(300 + n, { is_deleted: 1 }))
    await site.db
      .insertInto('comment')
      .values([...tombstones, ...replies, ...unneeded])
      .execute()
    const [thread] = (await site.call(comments.threads, on)).comment
    expect(thread?.reply.map(({ id }) => id)).toEqual([...tombstones, ...replies.slice(5)].map(({ id }) => id))
  })
})

describe('on a target that the viewer may not see', () => {
  test('comments are in no list, count or thread', async () => {
    const owner = await site.member()
    const commenter = await site.member()
    for (const type of allCodes(ContentType)) {
      const on =
        type === ContentType.Article
          ? await site.article({ owner, title: '秘密' })
          : await site.document({ owner, title: '秘密' })
      const comment = await site.comment(commenter, { on, content: '看过了' })
      const id = [on.document_id]
      if (type === ContentType.Article)
        await site.root.call(articles.review, { article_id: id, status: ReviewStatus.Rejected })
      else await site.root.call(documents.review, { id, status: DocumentStatus.Disabled })
      const requests = [
        { document_id: on.document_id, type: [type] },
        { user_id: commenter.id, type: [type], with_document_title: true },
      ]
      for (const request of requests)
        for (const { call } of [site, commenter])
          expect(idsOf(await call(comments.list, request))).not.toContain(comment.id)
      for (const { call } of [site, commenter])
        expect(await refusal(call(comments.threads, on))).toMatchObject({ status: 404 })
      for (const request of requests) expect(idsOf(await owner.call(comments.list, request))).toContain(comment.id)
      expect(idsOf(await owner.call(comments.threads, on))).toEqual([comment.id])
      expect(idsOf(await manager.call(comments.list, { type: [type], user_id: commenter.id }))).toContain(comment.id)
    }
  })

  test('the SQL filter of lists equals the rules of documents and articles', async () => {
    const owner = await site.member()
    const commenter = await site.member()
    const readers = [
      owner,
      reader,
      await site.staff('DocumentAPI/ListDocument'),
      await site.staff('ArticleAPI/GetArticle'),
    ]
    const viewers = [undefined, ...readers]
    const visibility = new Map<number, (viewer: Viewer) => Promise<boolean>>()
    for (const deleted_at of [null, 1]) {
      for (const status of allCodes(DocumentStatus)) {
        const on = await site.document({ owner })
        const { id } = await site.comment(commenter, { on })
        await site.db.updateTable('document').set({ status, deleted_at }).where('id', '=', on.document_id).execute()
        const document = { id: on.document_id, status, visibility: Visibility.Public, deleted_at, user_id: owner.id }
        visibility.set(id, (viewer) => canSeeDocument({ db: site.db, viewer }, document))
      }
      for (const status of allCodes(ReviewStatus)) {
        const on = await site.article({ owner })
        const { id } = await site.comment(commenter, { on })
        await site.db.updateTable('article').set({ status, deleted_at }).where('id', '=', on.document_id).execute()
        visibility.set(id, async (viewer) => canSeeArticle(viewer, { status, deleted_at, user_id: owner.id }))
      }
    }
    for (const viewer of viewers) {
      const listed = idsOf(await (viewer ?? site).call(comments.list, { user_id: commenter.id, size: 100 }))
      const can = (path: string) =>
        (viewer === readers[2] && path === 'DocumentAPI/ListDocument') ||
        (viewer === readers[3] && path === 'ArticleAPI/GetArticle')
      const as = { ...anonymous, id: viewer?.id ?? 0, can }
      const visible: number[] = []
      for (const [id, isVisible] of visibility) if (await isVisible(as)) visible.push(id)
      expect(listed.toSorted((a, b) => a - b)).toEqual(visible)
    }
  })

  test('comments return when the target is restored from the recycle bin', async () => {
    const on = await site.document()
    const comment = await site.comment(reader, { on })
    await site.root.call(documents.delete, { id: [on.document_id] })
    expect(await refusal(site.call(comments.threads, on))).toMatchObject({ status: 404 })
    await site.root.call(comments.delete, { id: [(await site.comment(reader, { on: await site.document() })).id] })
    await site.root.call(documentRecycle.restore, { id: [on.document_id] })
    expect(await site.call(comments.threads, on)).toMatchObject({ shown: 1, comment: [{ id: comment.id }] })
  })
})

describe('managing', () => {
  test('changes content and status, with the permission', async () => {
    const on = await site.document()
    const comment = await site.comment(reader, { on, content: '原来的话' })
    await manager.call(comments.update, { id: comment.id, content: ' 改过的话\u202e ' })
    expect(await manager.call(comments.get, { id: comment.id })).toMatchObject({
      content: '改过的话',
      status: ReviewStatus.Approved,
    })
    await manager.call(comments.update, { id: comment.id, content: '改过的话', status: ReviewStatus.Rejected })
    expect((await site.call(comments.threads, on)).shown).toBe(0)
    expect(await refusal(manager.call(comments.update, { id: comment.id, content: '\u200b' }))).toMatchObject({
      status: 400,
    })
    const missing = { status: 404, reason: 'comments.notFound' }
    expect(await refusal(manager.call(comments.update, { id: 999_999, content: '无' }))).toMatchObject(missing)
    expect(await refusal(manager.call(comments.get, { id: 999_999 }))).toMatchObject(missing)
    for (const attempt of [
      () => reader.call(comments.update, { id: comment.id, content: '我改' }),
      () => reader.call(comments.get, { id: comment.id }),
      () => reader.call(comments.review, { id: [comment.id], status: ReviewStatus.Approved }),
      () => manager.call(comments.review, { id: [comment.id], status: ReviewStatus.Approved }),
    ])
      expect(await refusal(attempt())).toMatchObject({ status: 403 })
  })

  test('leaves tombstones alone', async () => {
    const on = await site.document()
    const root = await site.comment(reader, { on })
    await site.comment(reader, { on, to: root.id })
    await reader.call(comments.delete, { id: [root.id] })
    expect(await refusal(manager.call(comments.update, { id: root.id, content: '填上' }))).toMatchObject({
      status: 404,
    })
    await site.root.call(comments.review, { id: [root.id], status: ReviewStatus.Rejected })
    expect((await site.call(comments.threads, on)).shown).toBe(1)
    expect(idsOf(await manager.call(comments.list, { type: [ContentType.Document], size: 10_000 }))).not.toContain(
      root.id,
    )
  })
})
