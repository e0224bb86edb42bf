import { ContentType } from '#shared/enums.ts'
import { DocumentStatus, reviewableStatuses } from '#shared/document-status.ts'
import type { Insertable } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Ids of what `seedDocuments` creates: categories with 1/3, 1/24 and 1/100 of the documents, and two members. */
export const seededIds = { large: 9001, middle: 9011, small: 9100, author: 9001, beginner: 9002 } as const

const exts = ['.pdf', '.pdf', '.pdf', '.docx', '.doc', '.pptx', '.xlsx', '.txt', '.epub']
const day = 24 * 60 * 60_000
const batchSize = 500

/** Many documents that differ in every column that lists filter and sort by; the same ones each time. */
export async function seedDocuments(db: Db, count: number): Promise<void> {
  const random = pseudoRandom()
  const stamps = { created_at: 0, updated_at: 0 }
  const inCategory = new Map<number, number>()
  const ofUser = new Map<number, number>()
  const add = (counts: Map<number, number>, id: number) => counts.set(id, (counts.get(id) ?? 0) + 1)
  for (let first = 1; first <= count; first += batchSize) {
    const rows: (Insertable<Tables['document']> & { id: number })[] = []
    const links: Insertable<Tables['document_category']>[] = []
    for (let id = first; id < Math.min(first + batchSize, count + 1); id++) {
      const root = random(3)
      const row = {
        id,
        uuid: `stock-${id}`,
        user_id: random(3) === 0 ? seededIds.author : seededIds.beginner + random(1000),
        attachment_id: 0,
        hash: String(id).padStart(64, '0'),
        ext: exts[random(exts.length)] ?? '.pdf',
        size: 1000 + random(1_000_000),
        title: `第 ${id} 份文档`,
        keywords: '文档,资料',
        description: '关于这份文档的几句话。'.repeat(random(12)),
        content: random(10) === 0 ? '自己写的正文。'.repeat(500) : '',
        language: random(50) === 0 ? 'fr' : random(10) === 0 ? 'en' : 'zh-CN',
        price: random(5) === 0 ? 5 : 0,
        is_vip: id % 40 === 0 ? (1 as const) : (0 as const),
        status: random(50) === 0 ? (random(8) as DocumentStatus) : DocumentStatus.Converted,
        pages: random(400),
        view_count: random(3) === 0 ? random(100_000) : random(50),
        download_count: random(50),
        favorite_count: random(20),
        score: 300 + random(200),
        recommend_at: random(200) === 0 ? id : null,
        deleted_at: random(100) === 0 ? id : null,
        created_at: Date.UTC(2023, 0, 1) + Math.floor((id / count) * 700 * day),
        updated_at: random(1_000_000),
      }
      rows.push(row)
      const categories = [seededIds.large + root, seededIds.middle + root * 10 + random(8)]
      if (random(100) === 0) categories.push(seededIds.small)
      links.push(...categories.map((category_id) => ({ document_id: id, category_id })))
      if (row.deleted_at !== null || reviewableStatuses.includes(row.status)) continue
      add(ofUser, row.user_id)
      for (const category of categories) add(inCategory, category)
    }
    await db.insertInto('document').values(rows).execute()
    await db.insertInto('document_category').values(links).execute()
  }
  const categories = [...inCategory].map(([id, doc_count]) => {
    const title = `分类 ${id}`
    return { id, title, doc_count, parent_id: 0, type: ContentType.Document, enable: 1 as const, ...stamps }
  })
  await db.insertInto('category').values(categories).execute()
  const members = [...ofUser].map(([id, doc_count]) => {
    const username = `作者${id}`
    return { id, username, username_key: username, password: '', doc_count, login_at: null, ...stamps }
  })
  await db.insertInto('user').values(members).execute()
}

/** A deterministic generator of integers below `sides` (Lehmer's, minstd). */
function pseudoRandom(): (sides: number) => number {
  let state = 1
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * sides)
  }
}
