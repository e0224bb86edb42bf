import { randomBytes } from 'node:crypto'
import { groups } from '#shared/contract/access.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import type { Ask } from '#shared/endpoint.ts'
import { type Library, openLibrary } from './document-site.ts'
import type { Person } from './site.ts'

type Sheet = Partial<Ask<typeof articles.create>>

/** A site that people write articles for. */
export interface Newsroom extends Library {
  /** A member who may write. What they write is reviewed if `reviewed`. */
  writer(given?: { reviewed?: boolean; article?: boolean }): Promise<Person>
  post(person: Person, sheet?: Sheet): Promise<Article>
  /** How many articles a category and a person show. */
  shown(of: { category?: number; person?: Person }): Promise<number>
  /** What a person has done or was told, as the kinds of it, the latest last. */
  told(person: Person): Promise<number[]>
}

export async function openNewsroom(...given: Parameters<typeof openLibrary>): Promise<Newsroom> {
  const library = await openLibrary(...given)
  const usual = await library.category('文章', { type: 1 })
  return {
    ...library,
    async writer({ reviewed = false, article = true } = {}) {
      const group = await library.root.call(groups.create, {
        title: `group ${randomBytes(6).toString('hex')}`,
        enable_article: article,
        enable_article_approval: reviewed,
      })
      const person = await library.member()
      await library.root.call(users.set, { id: person.id, group_id: [group.id] })
      return person
    },
    post: (person, sheet = {}) =>
      person.call(articles.create, { title: '一篇文章', content: '<p>正文</p>', category_id: [usual], ...sheet }),
    async shown({ category = 0, person }) {
      if (person) {
        const { article_count } = await library.call(users.get, { id: person.id })
        return article_count
      }
      const row = await library.db.selectFrom('category').select('doc_count').where('id', '=', category).execute()
      return row[0]?.doc_count ?? -1
    },
    async told({ id }) {
      const rows = await library.db
        .selectFrom('dynamic')
        .select('type')
        .where('user_id', '=', id)
        .where('type', 'in', [15, 19, 20])
        .orderBy('id')
        .execute()
      return rows.map(({ type }) => type)
    },
  }
}
