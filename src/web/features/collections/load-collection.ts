import { collections } from '#shared/contract/collections.ts'
import { toCollection } from '#web/features/collections/collection-summary.ts'
import { notFound, type LoadArgs } from '#web/lib/load.ts'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

export const pageSize = 50
const maxUuidLength = 64

export async function loadCollection({ api, params, url }: LoadArgs) {
  const { uuid = '' } = params
  if (uuid === '' || uuid.length > maxUuidLength) throw notFound('文集不存在，或者作者没有公开它')
  const page = parsePage(url.searchParams)
  const [collection, { total, item }] = await Promise.all([
    api(collections.get, { uuid }),
    api(collections.items, { uuid, page, size: pageSize }),
  ])
  return {
    collection: toCollection(collection),
    items: item,
    total,
    page,
    renderedAnonymously: import.meta.env.SSR,
  }
}
