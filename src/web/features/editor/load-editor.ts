import { ContentType } from '#shared/enums.ts'
import type { Call } from '#shared/client.ts'
import { type ArticleDraft, articleDrafts } from '#shared/contract/article-drafts.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { categories } from '#shared/contract/catalog.ts'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { toTree } from '#web/lib/tree.ts'
import type { PathNode } from '#web/ui/forms/path-select.tsx'

export interface EditorData {
  categories: PathNode[]
  article?: Article
  /** The draft that is opened. */
  draft?: ArticleDraft
}

/**
 * The article, the draft and the categories: the site's list may leave out those without articles. A draft leads to the
 * article that it edits.
 */
export async function loadEditor(
  api: Call,
  { draftId = 0, ...which }: { identifier?: string; id?: number; draftId?: number },
): Promise<EditorData> {
  // The route guard redirects visitors who are not signed in.
  if (!isSignedIn(currentSession())) return { categories: [] }
  const [{ category }, [article, draft]] = await Promise.all([
    api(categories.list, { field: ['id', 'title', 'parent_id'], type: [ContentType.Article], enable: [true] }),
    draftId > 0 ? loadDraft(api, draftId) : [which.identifier || which.id ? await api(articles.get, which) : undefined],
  ])
  const nodes = toTree(category.map(({ id, title, parent_id }) => ({ id, title, parent_id })))
  return { categories: nodes, ...(article && { article }), ...(draft && { draft }) }
}

async function loadDraft(api: Call, id: number): Promise<[Article | undefined, ArticleDraft]> {
  const draft = await api(articleDrafts.get, { id })
  return [draft.article_id > 0 ? await api(articles.get, { id: draft.article_id }) : undefined, draft]
}
