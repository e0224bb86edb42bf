import { randomBytes } from 'node:crypto'
import type { Person, Site } from './site.ts'
import { putInto } from '../modules/articles/articles.categories.ts'

/** An article as it was written: approved, unless told otherwise. */
export interface Written {
  title?: string
  identifier?: string
  author?: Pick<Person, 'id'>
  status?: number
  keywords?: string
  description?: string
  content?: string
  category?: number[]
  view_count?: number
  recommend_at?: number
  deleted_at?: number
  created_at?: number
}

let written = 0

/** Puts articles into the database as they are: nobody is told of it. */
export async function writeArticles(site: Site, ...articles: Written[]): Promise<number[]> {
  const { now } = await site.app.context()
  const ids: number[] = []
  for (const { author, category = [], ...given } of articles) {
    const at = given.created_at ?? now()
    const { id } = await site.db
      .insertInto('article')
      .values({
        title: `文章 ${(written += 1)}`,
        identifier: randomBytes(8).toString('hex'),
        user_id: author?.id ?? site.root.id,
        status: 1,
        content: '<p>正文</p>',
        recommend_at: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
        ...given,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await putInto(site.db, [id], category)
    ids.push(id)
  }
  return ids
}
