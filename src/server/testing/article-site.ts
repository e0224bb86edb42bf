import { ActivityType, ContentType } from '#shared/enums.ts'
import { randomBytes } from 'node:crypto'
import { groups } from '#shared/contract/access.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { type DocumentSite, openDocumentSite } from './document-site.ts'
import type { Person } from './site.ts'

type ArticleInput = Partial<CallInput<typeof articles.create>>

/** A site whose members write articles. */
export interface ArticleSite extends DocumentSite {
  /** A new member who may write; `reviewed` articles wait for approval. */
  writer(options?: { reviewed?: boolean; article?: boolean }): Promise<Person>
  createArticle(person: Person, input?: ArticleInput): Promise<Article>
  /** The article counter of a category or a member. */
  articleCount(of: { category?: number; person?: Person }): Promise<number>
  /** The types of a member's activities about articles, oldest first. */
  activityTypes(person: Person): Promise<ActivityType[]>
}

export async function openArticleSite(...options: Parameters<typeof openDocumentSite>): Promise<ArticleSite> {
  const site = await openDocumentSite(...options)
  const defaultCategory = await site.category('文章', { type: ContentType.Article })
  return {
    ...site,
    async writer({ reviewed = false, article = true } = {}) {
      const group = await site.root.call(groups.create, {
        title: `group ${randomBytes(6).toString('hex')}`,
        enable_article: article,
        enable_article_approval: reviewed,
      })
      const person = await site.member()
      await site.root.call(users.set, { id: person.id, group_id: [group.id] })
      return person
    },
    createArticle: (person, input = {}) =>
      person.call(articles.create, {
        title: '一篇文章',
        content: '<p>正文</p>',
        category_id: [defaultCategory],
        ...input,
      }),
    async articleCount({ category = 0, person }) {
      if (person) {
        const { article_count } = await site.call(users.get, { id: person.id })
        return article_count
      }
      const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).execute()
      return row[0]?.doc_count ?? -1
    },
    async activityTypes({ id }) {
      const rows = await site.db
        .selectFrom('activity')
        .select('type')
        .where('user_id', '=', id)
        .where('type', 'in', [ActivityType.PublishArticle, ActivityType.ArticleApproved, ActivityType.ArticleRejected])
        .orderBy('id')
        .execute()
      return rows.map(({ type }) => type)
    },
  }
}
