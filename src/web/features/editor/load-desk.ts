import type { Call } from '#shared/client.ts'
import { type Article, articles } from '#shared/contract/articles.ts'
import { categories } from '#shared/contract/site.ts'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { toTree } from '#web/lib/tree.ts'
import type { PathNode } from '#web/ui/path-select.tsx'

export interface Desk {
  categories: PathNode[]
  article?: Article
}

/** What one writes with. The site's own list may leave out categories without articles, which are to get some. */
export async function loadDesk(api: Call, which: { identifier?: string; id?: number }): Promise<Desk> {
  // Who is not logged in is led to the login page, and needs nothing here.
  if (!isSignedIn(currentSession())) return { categories: [] }
  const [{ category }, article] = await Promise.all([
    api(categories.list, { field: ['id', 'title', 'parent_id'], type: [1], enable: [true] }),
    which.identifier || which.id ? api(articles.get, which) : undefined,
  ])
  const nodes = toTree(category.map(({ id, title, parent_id }) => ({ id, title, parent_id })))
  return { categories: nodes, ...(article && { article }) }
}
