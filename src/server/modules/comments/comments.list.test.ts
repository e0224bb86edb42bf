import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { comments } from '#shared/contract/social.ts'
import { anonymous } from '#server/context.ts'
import { type Forum, openForum } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { canSee as canSeeArticle } from '#server/modules/articles/articles.policy.ts'
import { canSee as canSeeDocument } from '#server/modules/documents/documents.policy.ts'

let site: Forum
let reader: Person
let novice: Person
let manager: Person
beforeAll(async () => {
  site = await openForum()
  reader = await site.member()
  novice = await site.novice()
  manager = await site.staff('CommentAPI/ListComment', 'CommentAPI/GetComment', 'CommentAPI/UpdateComment')
})
afterAll(() => site.close())

const idsOf = ({ comment }: { comment: { id: number }[] }) => comment.map(({ id }) => id)

describe('the list', () => {
  test('of a document has all of its comments that are shown, whatever page is asked for', async () => {
    const on = await site.document()
    const first = await site.say(reader, { on })
    const waiting = await site.say(novice, { on })
    const last = await site.say(reader, { on, to: first.id })
    const { document_id } = on
    const all = { document_id, page: 7, size: 1 }
    expect(await site.call(comments.list, all)).toMatchObject({
      total: 2,
      comment: [{ id: last.id }, { id: first.id }],
    })
    expect(idsOf(await site.call(comments.list, { ...all, order: 'created_at asc' }))).toEqual([first.id, last.id])
    for (const status of [[0], [2], [0, 2]])
      expect(await site.call(comments.list, { document_id, status })).toEqual({ total: 0, comment: [] })
    expect(idsOf(await site.call(comments.list, { document_id, status: [0, 1, 2] }))).toEqual([last.id, first.id])
    expect(idsOf(await novice.call(comments.list, { document_id, user_id: novice.id }))).toEqual([waiting.id])
    expect(idsOf(await reader.call(comments.list, { document_id, user_id: novice.id }))).toEqual([])
    expect(idsOf(await manager.call(comments.list, { document_id }))).toEqual([last.id, waiting.id, first.id])
    expect(idsOf(await manager.call(comments.list, { document_id, status: [0] }))).toEqual([waiting.id])
    expect(idsOf(await site.call(comments.list, { document_id, parent_id: [first.id] }))).toEqual([last.id])
    expect(await site.call(comments.list, { document_id, type: [1] })).toEqual({ total: 0, comment: [] })
  })

  test('has titles and addresses when they are asked for', async () => {
    const person = await site.member()
    const document = await site.document({ title: '红楼梦' })
    const article = await site.article({ title: '读书笔记' })
    for (const on of [document, article]) await site.say(person, { on })
    const asked = { user_id: person.id }
    const { comment } = await site.call(comments.list, { ...asked, with_document_title: true })
    expect(comment).toMatchObject([
      { type: 1, document_title: '读书笔记', document_uuid: expect.stringMatching(/^[0-9a-f]{16}$/) },
      { type: 0, document_title: '红楼梦', document_uuid: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ])
    expect((await site.call(comments.list, asked)).comment[0]).toMatchObject({ document_title: '', document_uuid: '' })
    expect((await site.call(comments.list, { ...asked, type: [0] })).total).toBe(1)
  })

  test('tells of people what everybody may know, and where they are to managers alone', async () => {
    const person = await site.member()
    await site.db
      .updateTable('user')
      .set({ realname: '张三', mobile: '13800000000', email: 'a@b.cn', credit_count: 7 })
      .where('id', '=', person.id)
      .execute()
    const on = await site.document()
    const said = await site.say(person, { on })
    const { text } = await site.send('GET', `/api/v1/comment/list?document_id=${on.document_id}`)
    for (const secret of ['张三', '13800000000', 'a@b.cn', '"ip"', 'root_id']) expect(text).not.toContain(secret)
    expect((await site.call(comments.threads, on)).comment[0]?.user).toMatchObject({ id: person.id, credit_count: 7 })
    expect((await manager.call(comments.list, { user_id: person.id })).comment[0]?.ip).toMatch(/^172\.16\./)
    expect((await manager.call(comments.get, { id: said.id })).ip).toMatch(/^172\.16\./)
    expect((await person.call(comments.list, { user_id: person.id })).comment[0]?.ip).toBe('')
  })

  test('can be searched by managers, word for word', async () => {
    const on = await site.document()
    const said = await site.say(reader, { on, content: '百分之100%_对' })
    expect(idsOf(await manager.call(comments.list, { wd: '100%_' }))).toEqual([said.id])
    expect(idsOf(await manager.call(comments.list, { wd: '100__' }))).toEqual([])
    const visitors = await site.call(comments.list, { user_id: reader.id, wd: '没有这样的话' })
    expect(visitors.total).toBeGreaterThan(0)
  })

  test('is leafed through, in bounds', async () => {
    const person = await site.member()
    const on = await site.document()
    const said: number[] = []
    for (let n = 0; n < 5; n++) said.push((await site.say(person, { on })).id)
    const asked = { user_id: person.id }
    const page = (given: object) => site.call(comments.list, { ...asked, ...given })
    expect(await page({ page: 2, size: 2 })).toMatchObject({ total: 5, comment: [{ id: said[2] }, { id: said[1] }] })
    expect(idsOf(await page({ size: 2, order: 'created_at asc' }))).toEqual(said.slice(0, 2))
    expect(idsOf(await page({ size: 2, order: 'content asc' }))).toEqual(said.toReversed().slice(0, 2))
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

  test('of a thread that is hidden is hidden with it', async () => {
    const on = await site.document()
    const root = await site.say(reader, { on })
    await site.say(reader, { on, to: root.id })
    await site.root.call(comments.check, { id: [root.id], status: 0 })
    expect(idsOf(await site.call(comments.list, { document_id: on.document_id }))).toEqual([])
  })

  test('gives the latest thousand of a document', async () => {
    const on = await site.document()
    const row = { ...on, user_id: reader.id, parent_id: 0, status: 1, ip: '', created_at: 0, updated_at: 0 }
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
  test('of thirty people have all their names', async () => {
    const on = await site.document()
    const names = Array.from({ length: 30 }, (_, n) => `commenter-${n}`)
    const stamps = { created_at: 0, updated_at: 0 }
    const people = await site.db
      .insertInto('user')
      .values(names.map((username) => ({ username, username_key: username, password: '', login_at: null, ...stamps })))
      .returning('id')
      .execute()
    const root = await site.say(reader, { on })
    const answers = people.map(({ id }) => ({
      ...on,
      user_id: id,
      parent_id: root.id,
      root_id: root.id,
      status: 1,
      ip: '',
      content: '同意',
      ...stamps,
    }))
    await site.db.insertInto('comment').values(answers).execute()
    const { comment } = await site.call(comments.threads, on)
    expect(comment[0]?.reply.map(({ user }) => user.username)).toEqual(names)
    const listed = await site.call(comments.list, { document_id: on.document_id, order: 'id asc' })
    expect(listed.comment.map(({ user }) => user.username)).toEqual([reader.username, ...names])
  })

  test('come the latest first or the oldest first, page by page', async () => {
    const on = await site.article()
    const roots: number[] = []
    for (let n = 0; n < 5; n++) roots.push((await site.say(reader, { on })).id)
    await site.say(reader, { on, to: roots[0] })
    const page = async (given: object) => idsOf(await site.call(comments.threads, { ...on, ...given }))
    expect(await page({})).toEqual(roots.toReversed())
    expect(await page({ order: 'oldest', size: 2 })).toEqual(roots.slice(0, 2))
    expect(await page({ page: 2, size: 2 })).toEqual([roots[2], roots[1]])
    expect(await page({ page: 0, size: 0 })).toHaveLength(5)
    expect(await site.call(comments.threads, { ...on, size: 2 })).toMatchObject({ total: 5, shown: 6 })
  })

  test('show what waits to its author alone, and nothing that was rejected', async () => {
    const on = await site.document()
    const root = await site.say(reader, { on })
    const waiting = await site.say(novice, { on, to: root.id })
    const rejected = await site.say(novice, { on })
    await site.root.call(comments.check, { id: [rejected.id], status: 2 })
    const own = await site.say(novice, { on })
    const seen = async (person?: Person) =>
      (await (person ?? site).call(comments.threads, on)).comment.map(({ id, reply }) => [
        id,
        ...reply.map((a) => a.id),
      ])
    expect(await seen()).toEqual([[root.id]])
    expect(await seen(reader)).toEqual([[root.id]])
    expect(await seen(manager)).toEqual([[root.id]])
    expect(await seen(novice)).toEqual([[own.id], [root.id, waiting.id]])
    expect((await novice.call(comments.threads, on)).shown).toBe(1)
    await site.root.call(comments.check, { id: [root.id], status: 0 })
    expect(await seen(novice)).toEqual([[own.id]])
    expect(await seen(reader)).toEqual([[root.id]])
    await site.root.call(comments.check, { id: [root.id, waiting.id], status: 1 })
    expect(await seen()).toEqual([[root.id, waiting.id]])
  })

  test('have their latest two hundred answers each, the oldest of these first', async () => {
    const on = await site.document()
    const [one, two] = [await site.say(reader, { on }), await site.say(reader, { on })]
    const answers = [one, two].flatMap(({ id }, thread) =>
      Array.from({ length: 205 }, (_, n) => ({
        ...on,
        id: 6_000_000 + thread * 1000 + n,
        user_id: reader.id,
        parent_id: id,
        root_id: id,
        status: 1,
        ip: '',
        content: `第 ${n} 楼`,
        created_at: 0,
        updated_at: 0,
      })),
    )
    await site.db.insertInto('comment').values(answers).execute()
    const { comment } = await site.call(comments.threads, on)
    for (const { reply } of comment)
      expect([reply.length, reply[0]?.content, reply[199]?.content]).toEqual([200, '第 5 楼', '第 204 楼'])
    expect(comment.map(({ reply }) => reply[0]?.parent_id)).toEqual([two.id, one.id])
  })

  test('count no empty place among the two hundred, and show it only above an answer that is shown', async () => {
    const on = await site.document()
    const root = await site.say(reader, { on })
    const answer = (n: number, given: { is_deleted?: 0 | 1; parent_id?: number } = {}) => ({
      ...on,
      id: 7_000_000 + n,
      user_id: reader.id,
      parent_id: root.id,
      root_id: root.id,
      status: 1,
      ip: '',
      content: '',
      created_at: 0,
      updated_at: 0,
      is_deleted: 0 as const,
      ...given,
    })
    // One place above another, with answers to the lower; after them ten places without any.
    const places = [answer(0, { is_deleted: 1 }), answer(1, { is_deleted: 1, parent_id: 7_000_000 })]
    const answers = Array.from({ length: 205 }, (_, n) => answer(10 + n, { parent_id: n < 5 ? root.id : 7_000_001 }))
    const idle = Array.from({ length: 10 }, (_, n) => answer(300 + n, { is_deleted: 1 }))
    await site.db
      .insertInto('comment')
      .values([...places, ...answers, ...idle])
      .execute()
    const [thread] = (await site.call(comments.threads, on)).comment
    expect(thread?.reply.map(({ id }) => id)).toEqual([...places, ...answers.slice(5)].map(({ id }) => id))
  })
})

describe('of what a viewer may not see', () => {
  test('nothing is heard: not in lists, counts or threads', async () => {
    const owner = await site.member()
    const talker = await site.member()
    for (const type of [0, 1]) {
      const on =
        type === 1 ? await site.article({ owner, title: '秘密' }) : await site.document({ owner, title: '秘密' })
      const said = await site.say(talker, { on, content: '看过了' })
      const table = type === 1 ? 'article' : 'document'
      const status = type === 1 ? 2 : 4
      await site.db.updateTable(table).set({ status }).where('id', '=', on.document_id).execute()
      const asks = [
        { document_id: on.document_id, type: [type] },
        { user_id: talker.id, type: [type], with_document_title: true },
      ]
      for (const ask of asks)
        for (const { call } of [site, talker]) expect(idsOf(await call(comments.list, ask))).not.toContain(said.id)
      for (const { call } of [site, talker])
        expect(await refusal(call(comments.threads, on))).toMatchObject({ status: 404 })
      for (const ask of asks) expect(idsOf(await owner.call(comments.list, ask))).toContain(said.id)
      expect(idsOf(await owner.call(comments.threads, on))).toEqual([said.id])
      expect(idsOf(await manager.call(comments.list, { type: [type], user_id: talker.id }))).toContain(said.id)
    }
  })

  test('the filter of lists says the same as the rules of documents and articles', async () => {
    const owner = await site.member()
    const talker = await site.member()
    const readers = [
      owner,
      reader,
      await site.staff('DocumentAPI/ListDocument'),
      await site.staff('ArticleAPI/GetArticle'),
    ]
    const viewers = [undefined, ...readers]
    const places = [
      ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((status) => [null, 1].map((deleted_at) => ({ type: 0, status, deleted_at }))),
      ...[0, 1, 2].flatMap((status) => [null, 1].map((deleted_at) => ({ type: 1, status, deleted_at }))),
    ]
    const said = new Map<number, (typeof places)[number]>()
    for (const { type, status, deleted_at } of places) {
      const on = type === 1 ? await site.article({ owner }) : await site.document({ owner })
      const { id } = await site.say(talker, { on })
      await site.db
        .updateTable(type === 1 ? 'article' : 'document')
        .set({ status, deleted_at })
        .where('id', '=', on.document_id)
        .execute()
      said.set(id, { type, status, deleted_at })
    }
    for (const viewer of viewers) {
      const listed = idsOf(await (viewer ?? site).call(comments.list, { user_id: talker.id, size: 100 }))
      const can = (path: string) =>
        (viewer === readers[2] && path === 'DocumentAPI/ListDocument') ||
        (viewer === readers[3] && path === 'ArticleAPI/GetArticle')
      const as = { ...anonymous, id: viewer?.id ?? 0, can }
      const seen = [...said].filter(([, { type, ...state }]) =>
        (type === 1 ? canSeeArticle : canSeeDocument)(as, { ...state, user_id: owner.id }),
      )
      expect(listed.toSorted((a, b) => a - b)).toEqual(seen.map(([id]) => id))
    }
  })

  test('restored from the recycle bin it has all its comments again', async () => {
    const on = await site.document()
    const said = await site.say(reader, { on })
    await site.root.call(documents.delete, { id: [on.document_id] })
    expect(await refusal(site.call(comments.threads, on))).toMatchObject({ status: 404 })
    await site.root.call(comments.delete, { id: [(await site.say(reader, { on: await site.document() })).id] })
    await site.root.call(documentRecycle.recover, { id: [on.document_id] })
    expect(await site.call(comments.threads, on)).toMatchObject({ shown: 1, comment: [{ id: said.id }] })
  })
})

describe('managing', () => {
  test('changes text and state, for who may', async () => {
    const on = await site.document()
    const said = await site.say(reader, { on, content: '原来的话' })
    await manager.call(comments.update, { id: said.id, content: ' 改过的话\u202e ' })
    expect(await manager.call(comments.get, { id: said.id })).toMatchObject({ content: '改过的话', status: 1 })
    await manager.call(comments.update, { id: said.id, content: '改过的话', status: 2 })
    expect((await site.call(comments.threads, on)).shown).toBe(0)
    expect(await refusal(manager.call(comments.update, { id: said.id, content: '\u200b' }))).toMatchObject({
      status: 400,
    })
    const missing = { status: 404, reason: 'comments.notFound' }
    expect(await refusal(manager.call(comments.update, { id: 999_999, content: '无' }))).toMatchObject(missing)
    expect(await refusal(manager.call(comments.get, { id: 999_999 }))).toMatchObject(missing)
    for (const deed of [
      () => reader.call(comments.update, { id: said.id, content: '我改' }),
      () => reader.call(comments.get, { id: said.id }),
      () => reader.call(comments.check, { id: [said.id], status: 1 }),
      () => manager.call(comments.check, { id: [said.id], status: 1 }),
    ])
      expect(await refusal(deed())).toMatchObject({ status: 403 })
  })

  test('leaves empty places alone', async () => {
    const on = await site.document()
    const root = await site.say(reader, { on })
    await site.say(reader, { on, to: root.id })
    await reader.call(comments.delete, { id: [root.id] })
    expect(await refusal(manager.call(comments.update, { id: root.id, content: '填上' }))).toMatchObject({
      status: 404,
    })
    await site.root.call(comments.check, { id: [root.id], status: 2 })
    expect((await site.call(comments.threads, on)).shown).toBe(1)
    expect(idsOf(await manager.call(comments.list, { type: [0], size: 10_000 }))).not.toContain(root.id)
  })
})
