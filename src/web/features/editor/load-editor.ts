import { ContentType } from '#shared/enums.ts'
import type { Call } from '#shared/client.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { categories } from '#shared/contract/catalog.ts'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { toTree } from '#web/lib/tree.ts'
import type { PathNode } from '#web/ui/forms/path-select.tsx'

export interface EditorData {
  categories: PathNode[]
  article?: Article
}

/** The article and the categories: the site's list may leave out those without articles. */
export async function loadEditor(api: Call, which: { identifier?: string; id?: number }): Promise<EditorData> {
  // The route guard redirects visitors who are not signed in.
  if (!isSignedIn(currentSession())) return { categories: [] }
  const [{ category }, article] = await Promise.all([
    api(categories.list, { field: ['id', 'title', 'parent_id'], type: [ContentType.Article], enable: [true] }),
    which.identifier || which.id ? api(articles.get, which) : undefined,
  ])
  const nodes = toTree(category.map(({ id, title, parent_id }) => ({ id, title, parent_id })))
  return { categories: nodes, ...(article && { article }) }
}
