import type { Article } from '#shared/contract/articles.ts'
import type { Session } from '#web/lib/session.ts'

type Writer = Pick<Session, 'permissions' | 'groups'> & { user: { id: number } }
type Written = Pick<Article, 'user_id' | 'status'>

/** What a member may do with an article. The server decides again by itself. */
export function holds({ permissions }: Pick<Writer, 'permissions'>, method: string): boolean {
  return permissions.some(({ path }) => path.endsWith(`ArticleAPI/${method}`))
}

export function mayWrite(writer: Writer): boolean {
  return holds(writer, 'CreateArticle') || writer.groups.some(({ enable_article }) => enable_article)
}

export function mayEdit(writer: Writer, { user_id }: Written): boolean {
  return user_id === writer.user.id || holds(writer, 'UpdateArticle')
}

/** What the button says, and what will come of pressing it. */
export function outcomeOf(writer: Writer, article?: Written): { button: string; says: string } {
  const isStaff = holds(writer, article ? 'UpdateArticle' : 'CreateArticle')
  if (isStaff && article) return { button: '保存', says: staffSays[article.status] ?? '' }
  const isTrusted = writer.groups.some(
    ({ enable_article, enable_article_approval }) => enable_article && !enable_article_approval,
  )
  if (!isStaff && !isTrusted) {
    const says = article?.status === 1 ? '修改后需要重新审核，通过前暂不公开' : '审核通过后公开，结果见个人中心'
    return { button: '提交审核', says }
  }
  return article ? { button: '保存并发布', says: '保存后立即公开' } : { button: '发布', says: '直接发布，立即公开' }
}

const staffSays = ['保存后仍待审核', '保存后立即生效', '保存后仍是未通过']
