import type { Route } from './+types/user-documents.ts'
import { documents } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { DocumentList } from '#web/features/documents/browse/document-list.tsx'
import { toDocumentSummary } from '#web/features/documents/browse/document-summary.ts'
import { reachableTotal } from '#web/features/documents/browse/list-query.ts'
import { listQueryKeys, parseListParams } from '#web/features/users/list-params.ts'
import { UserContentList } from '#web/features/users/user-content-list.tsx'
import { userMeta } from '#web/features/users/user-meta.ts'
import { useRefetchAsMember } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'

/** The page size of the search. */
const size = 10

const page = load(async ({ api, ...args }) => {
  const { request, ...shown } = parseListParams(args)
  const { wd } = shown.filters
  // With words, by relevance.
  const { total, document } =
    wd === '' ? await api(documents.list, { ...request, size }) : await api(searches.documents, { ...request, wd })
  return { ...shown, total, documents: document.map(toDocumentSummary), renderedAnonymously: import.meta.env.SSR }
})
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: listQueryKeys }

export default function UserDocuments({ loaderData, matches }: Route.ComponentProps) {
  const { filters, total, documents, page, now, renderedAnonymously } = loaderData
  const { user, ads } = matches[2].loaderData
  useRefetchAsMember({ renderedAnonymously, ownerId: user.id })
  return (
    <div className="mt-5">
      <AdSlot position="user_document_top" ads={ads} />
      <UserContentList userId={user.id} part="/document" filters={filters} total={total}>
        {({ isOwn, empty }) => (
          <DocumentList
            documents={documents}
            total={reachableTotal(total)}
            page={page}
            size={size}
            now={now}
            withStatus={isOwn}
            withAuthor={false}
            empty={empty}
          />
        )}
      </UserContentList>
    </div>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const user = matches[2].loaderData?.user
  const isEmpty = loaderData?.documents.length === 0
  return userMeta({ user, part: '/document', page: loaderData?.page, isEmpty }, matches[0].loaderData)
}
