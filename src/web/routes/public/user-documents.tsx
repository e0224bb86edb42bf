import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/user-documents.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentList } from '#web/features/documents/browse/document-list.tsx'
import { reachable } from '#web/features/documents/browse/list-query.ts'
import { listed } from '#web/features/documents/browse/listed.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'

const size = 20

const page = load(async ({ api, params, url }) => {
  if (!/^[1-9]\d{0,15}$/.test(params.id ?? '')) throw notFound('用户不存在')
  const shown = pageOf(url.searchParams)
  const { total, document } = await api(documents.list, { user_id: [Number(params.id)], page: shown, size })
  return { total, documents: document.map(listed), page: shown, now: Date.now(), forStranger: import.meta.env.SSR }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserDocuments({ loaderData, matches }: Route.ComponentProps) {
  const { total, documents, page, now, forStranger } = loaderData
  const { user } = matches[2].loaderData
  const isOwn = useSession().user.id === user.id
  useOwnEyes(isOwn && forStranger)
  return (
    <div className="mt-5">
      <AdSlot position="user_document_top" ads={matches[2].loaderData.ads} />
      {isOwn && (
        <p className="mb-5 flex items-center justify-between gap-4 text-sm text-muted">
          还没有公开的文档只有您自己能看到。
          <ButtonLink to="/me/document" size="sm">
            管理我的文档
          </ButtonLink>
        </p>
      )}
      <DocumentList
        documents={documents}
        total={reachable(total)}
        page={page}
        size={size}
        now={now}
        withStatus={isOwn}
        withAuthor={false}
        empty={<Nothing isOwn={isOwn} hasOthers={total > 0} />}
      />
    </div>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  const user = matches[2].loaderData?.user
  return pageMeta(matches[0].loaderData, user ? { title: `${user.username} 的文档`, description: user.signature } : {})
}

function Nothing({ isOwn, hasOthers }: { isOwn: boolean; hasOthers: boolean }) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to="?page=1">回到第一页</ButtonLink>} />
  if (isOwn) {
    return (
      <EmptyState title="还没有文档" action={<ButtonLink to="/upload">上传文档</ButtonLink>}>
        您上传的文档会列在这里。
      </EmptyState>
    )
  }
  return <EmptyState title="还没有文档">这里会列出已公开的文档。</EmptyState>
}

/** The first HTML is what strangers see; owners see more. */
function useOwnEyes(seesMore: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (seesMore) void revalidate()
  }, [seesMore, revalidate])
}
