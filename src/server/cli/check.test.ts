import { utimesSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { contract } from '#shared/contract/contract.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { coverKey, textSliceKey } from '#server/modules/renditions/storage-keys.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import type { Person } from '../testing/site.ts'
import { checkSite } from './check.ts'

let site: CommunitySite
let reader: Person
let document: number
beforeAll(async () => {
  site = await openCommunitySite()
  reader = await site.member()
  const category = await site.category('物理')
  ;[document = 0] = await site.addDocuments({
    title: '力学',
    texts: ['牛顿'],
    cover: false,
    category: [category],
    owner: reader,
  })
  const on = { type: ContentType.Document, document_id: document }
  const comment = await site.comment(reader, { on })
  await site.comment(site.root, { on, to: comment.id })
  await site.root.call(contract.favorites.create, on)
  await site.root.call(contract.documents.rate, { document_id: document, score: 400 })
  const article = await site.article()
  await site.comment(reader, { on: article })
  await reader.call(contract.favorites.create, article)
  // Inserted without the service that counts.
  await site.db.updateTable('user').set({ article_count: 1 }).where('id', '=', site.root.id).execute()
  await site.db
    .updateTable('user')
    .set((eb) => ({ article_count: eb.selectFrom('article').select(({ fn }) => fn.countAll<number>().as('n')) }))
    .where('id', '=', site.root.id)
    .execute()
})
afterAll(() => site.close())

async function check(options: { repair?: boolean; quick?: boolean } = {}) {
  const lines: string[] = []
  const left = await checkSite(await site.app.context(), { ...options, say: (line) => lines.push(line) })
  return { left, output: lines.join('\n') }
}

test('a site in normal use has no faults', async () => {
  const { left, output } = await check()
  expect(output).toBe('检查完成：没有问题。')
  expect(left).toBe(0)
})

test('wrong counters are listed with their right values, and repaired with --repair', async () => {
  const wrong = { view_count: 77, favorite_count: 9, comment_count: 9, score: 100, score_count: 9 }
  await site.db.updateTable('document').set(wrong).where('id', '=', document).execute()
  await site.db.updateTable('category').set({ doc_count: 5 }).where('title', '=', '物理').execute()
  const counts = { doc_count: 8, article_count: 8, favorite_count: 8, comment_count: 8 }
  await site.db.updateTable('user').set(counts).where('id', '=', reader.id).execute()
  const balance = await site.db.selectFrom('user').select('credit_count').where('id', '=', reader.id).executeTakeFirst()
  await site.db.updateTable('user').set({ credit_count: 12_345 }).where('id', '=', reader.id).execute()
  await site.db.updateTable('comment').set({ comment_count: 3 }).execute()
  await site.db.updateTable('article').set({ like_count: 4 }).where('title', '=', '一篇文章').execute()

  const { left, output } = await check()
  expect(output).toContain(`文档的收藏数：编号 ${document} 记为 9，实为 1`)
  expect(output).toContain(`用户的余额（应等于流水之和）：编号 ${reader.id} 记为 12345，实为 ${balance?.credit_count}`)
  for (const what of ['分类的内容数', '用户的文档数', '用户的文章数', '用户的收藏数', '用户的评论数', '文档的评论数'])
    expect(output).toContain(what)
  for (const what of ['评论的回复数', '文档的评分人数', '文档的评分：', '文章的点赞数']) expect(output).toContain(what)
  expect(left).toBe(14)
  expect(await site.db.selectFrom('document').selectAll().where('id', '=', document).executeTakeFirst()).toMatchObject(
    wrong,
  )

  expect(await check({ repair: true })).toMatchObject({ left: 0 })
  expect(await check()).toMatchObject({ left: 0 })
  const repaired = await site.db.selectFrom('document').selectAll().where('id', '=', document).executeTakeFirst()
  expect(repaired).toMatchObject({ view_count: 77, favorite_count: 1, comment_count: 2, score: 400, score_count: 1 })
})

test('missing and altered files are listed by name, and cannot be repaired', async () => {
  const { storage } = await site.app.context()
  const lost = await site.upload(reader, { name: '丢了.pdf' })
  const changed = await site.upload(reader, { name: '变了.pdf', content: 'before' })
  const cut = await site.upload(reader, { name: '短了.pdf', content: 'whole' })
  await storage.remove([contentKey(lost.hash)])
  await storage.put(contentKey(changed.hash), Buffer.from('after!'))
  await storage.put(contentKey(cut.hash), Buffer.from('who'))
  const { left, output } = await check({ repair: true })
  expect(left).toBe(3)
  expect(output).toContain(`文件丢失：丢了.pdf（${lost.hash}）`)
  expect(output).toContain(`文件内容已改变：变了.pdf（${changed.hash}）`)
  expect(output).toContain('文件内容已改变：短了.pdf')
  expect(await check({ quick: true })).toMatchObject({ left: 2 })
  await site.db.deleteFrom('attachment').where('hash', 'in', [lost.hash, changed.hash, cut.hash]).execute()
  await site.db.deleteFrom('stored_file').where('hash', 'in', [lost.hash, changed.hash, cut.hash]).execute()
  await storage.remove([contentKey(changed.hash), contentKey(cut.hash)])
})

test('incomplete renditions are converted again, unless their source is missing too', async () => {
  const { storage } = await site.app.context()
  const { hash, id } = await site.upload(reader, { name: '在.pdf' })
  const [withSource = 0] = await site.addDocuments({ title: '源文件还在', hash, texts: ['一'], cover: false })
  await storage.remove([textSliceKey(hash, 1, 1)])
  const [withoutSource = 0] = await site.addDocuments({ title: '源文件不在', cover: true })
  const { left, output } = await check({ repair: true })
  expect(output).toContain(`转换结果不完整：${hash}，已安排重新转换`)
  expect(output).toContain('无法修复：没有可以转换的原始文件')
  expect(left).toBe(1)
  const job = await site.db.selectFrom('job').select('state').where('key', '=', `convert:${hash}`).executeTakeFirst()
  expect(job?.state).toBe('waiting')
  await site.db.deleteFrom('document').where('id', 'in', [withSource, withoutSource]).execute()
  await site.db.deleteFrom('rendition').where('hash', '=', hash).execute()
  await site.db.deleteFrom('rendition').where('has_cover', '=', 1).execute()
  await site.db.deleteFrom('attachment').where('id', '=', id).execute()
  await site.db.deleteFrom('job').where('key', '=', `convert:${hash}`).execute()
  await site.db.updateTable('user').set({ doc_count: 1 }).where('id', '=', reader.id).execute()
  await check({ repair: true })
})

test('renditions of documents in the recycle bin are not repaired', async () => {
  const { storage } = await site.app.context()
  const { hash, id } = await site.upload(reader, { name: '回收.pdf' })
  const [recycled = 0] = await site.addDocuments({
    title: '在回收站',
    hash,
    texts: ['一'],
    cover: false,
    deleted_at: 1,
  })
  await storage.remove([textSliceKey(hash, 1, 1)])
  const { left, output } = await check({ repair: true })
  expect(output).toContain(`转换结果不完整：${hash}，没有修复：除了回收站，没有文档用到它`)
  expect(left).toBe(1)
  const jobs = await site.db.selectFrom('job').select('id').where('key', '=', `convert:${hash}`).execute()
  expect(jobs).toEqual([])
  await site.db.deleteFrom('document').where('id', '=', recycled).execute()
  await site.db.deleteFrom('rendition').where('hash', '=', hash).execute()
  await site.db.deleteFrom('attachment').where('id', '=', id).execute()
})

test('orphans that are a day old are removed with --repair; newer files stay', async () => {
  const { storage } = await site.app.context()
  const [old, fresh, converting] = ['d', 'e', 'f'].map((letter) => letter.repeat(64))
  const aged = async (key: string) => {
    await storage.put(key, Buffer.from('left behind'))
    const path = (await storage.local(key)) ?? ''
    writeFileSync(path, 'left behind')
    const before = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
    utimesSync(path, before, before)
  }
  await aged(contentKey(old ?? ''))
  await aged(coverKey(converting ?? '', 1))
  await storage.put(contentKey(fresh ?? ''), Buffer.from('on its way'))
  const { left, output } = await check()
  expect(left).toBe(2)
  expect(output).toContain(`无主文件：${contentKey(old ?? '')}`)
  expect(output).toContain(`无主文件：${coverKey(converting ?? '', 1)}`)
  expect(await storage.find(contentKey(old ?? ''))).toBeDefined()
  const repaired = await check({ repair: true })
  expect(repaired.left).toBe(0)
  expect(repaired.output).toContain(`${contentKey(old ?? '')}（11 字节），已删除`)
  expect(repaired.output).toContain(`${coverKey(converting ?? '', 1)}（11 字节），已安排删除`)
  await site.runDueJobs()
  expect(await storage.find(contentKey(old ?? ''))).toBeUndefined()
  expect(await storage.find(coverKey(converting ?? '', 1))).toBeUndefined()
  expect(await storage.find(contentKey(fresh ?? ''))).toBeDefined()
})
