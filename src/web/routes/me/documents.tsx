import type { Route } from './+types/documents.ts'
import { documents } from '#shared/contract/documents.ts'
import { useInvitations } from '#web/domain/contributions.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { OwnDocuments } from '#web/features/documents/own/own-documents.tsx'
import { statusFilters } from '#web/features/documents/own/own-status.ts'
import { FilteredMemberList } from '#web/features/lists/filtered-member-list.tsx'
import { ownListSize, parseOwnListParams } from '#web/features/users/list-params.ts'
import { load } from '#web/lib/load.ts'
import { TrayDrawing } from '#web/ui/drawings/tray.tsx'

export const clientLoader = load(async ({ api, url }) => {
  const { request, ...shown } = parseOwnListParams(url.searchParams, statusFilters)
  const { total, document } = await api(documents.list, request)
  return { ...shown, total, rows: document }
}).client

export default function MyDocuments({ loaderData: { filters, page, total, rows } }: Route.ComponentProps) {
  const { upload } = useInvitations()
  return (
    <FilteredMemberList
      title="我的文档"
      path="/me/document"
      filters={filters}
      statuses={statusFilters}
      total={total}
      size={ownListSize}
      rows={rows.length}
      create={upload ? { to: '/upload', title: '上传文档' } : undefined}
      empty={{ title: '还没有文档', hint: '您上传的文档会列在这里。', drawing: <TrayDrawing /> }}
    >
      <OwnDocuments key={page} rows={rows} />
    </FilteredMemberList>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的文档' })
}
