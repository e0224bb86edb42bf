import type { Route } from './+types/article-set.ts'
import { AdminArticlePage } from '#web/features/editor/admin-article-page.tsx'
import { loadEditor } from '#web/features/editor/load-editor.ts'
import { load } from '#web/lib/load.ts'

export const clientLoader = load(({ api, url }) =>
  loadEditor(api, { id: Number(url.searchParams.get('id')) || 0 }),
).client

export default function AdminArticle({ loaderData }: Route.ComponentProps) {
  return <AdminArticlePage {...loaderData} />
}
