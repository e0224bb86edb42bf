import type { Route } from './+types/documents.ts'
import { categoryMeta } from '#web/features/documents/browse/category-meta.ts'
import { DocumentsPage } from '#web/features/documents/browse/documents-page.tsx'
import { listQueryKeys } from '#web/features/documents/browse/list-query.ts'
import { describeError } from '#web/features/site/error-page.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'

// Loaded by the server with the first page: the browser needs this code only for the next one.
const page = load(async (args) => (await import('#web/features/documents/browse/load-category.ts')).loadCategory(args))
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: listQueryKeys }

const listPath = '/document'
const title = '全部文档'

export default function Documents({ loaderData }: Route.ComponentProps) {
  return <DocumentsPage data={loaderData} listPath={listPath} title={title} />
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  const { path, query, list } = loaderData
  return categoryMeta({ path, query, rows: list.documents.length, listPath, title }, site)
}
