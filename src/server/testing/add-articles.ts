import { ReviewStatus } from '#shared/enums.ts'
import { randomBytes } from 'node:crypto'
import type { Person, Site } from './site.ts'
import { replaceCategories } from '#server/modules/articles/publishing/categories.ts'

/** Approved unless it says otherwise. */
export interface ArticleFixture {
  title?: string
  identifier?: string
  author?: Pick<Person, 'id'>
  status?: ReviewStatus
  keywords?: string
  description?: string
  content?: string
  category?: number[]
  view_count?: number
  recommend_at?: number
  deleted_at?: number
  created_at?: number
}

let count = 0

/** Inserts articles as they are, without events. */
export async function addArticles(site: Site, ...articles: ArticleFixture[]): Promise<number[]> {
  const { now } = await site.app.context()
  const ids: number[] = []
  for (const { author, category = [], ...fixture } of articles) {
    const at = fixture.created_at ?? now()
    const { id } = await site.db
      .insertInto('article')
      .values({
        title: `文章 ${(count += 1)}`,
        identifier: randomBytes(8).toString('hex'),
        user_id: author?.id ?? site.root.id,
        status: ReviewStatus.Approved,
        content: '<p>正文</p>',
        recommend_at: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
        ...fixture,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await replaceCategories(site.db, [id], category)
    ids.push(id)
  }
  return ids
}
