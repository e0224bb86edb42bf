import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/user-documents.ts'
import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentList } from '#web/features/documents/browse/document-list.tsx'
import { reachable } from '#web/features/documents/browse/list-query.ts'
import { listed } from '#web/features/documents/browse/listed.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { NarrowingForm } from '#web/features/users/narrowing-form.tsx'
import { isNarrowed, readNarrowing, timesOf, type Narrowing } from '#web/features/users/narrowing.ts'
import { personMeta } from '#web/features/users/person-meta.ts'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'

/** What is found by words comes in pages of ten. */
const size = 10

const page = load(async ({ api, params, url }) => {
  if (!/^[1-9]\d{0,15}$/.test(params.id ?? '')) throw notFound('用户不存在')
  const narrowing = readNarrowing(url.searchParams)
  const turned = pageOf(url.searchParams)
  const now = Date.now()
  const { total, document } = await theirs(api, { user: Number(params.id), narrowing, page: turned, now })
  const forStranger = import.meta.env.SSR
  return { narrowing, page: turned, total, documents: document.map(listed), now, forStranger }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserDocuments({ loaderData, matches }: Route.ComponentProps) {
  const { narrowing, total, documents, page, now, forStranger } = loaderData
  const { user } = matches[2].loaderData
  const isOwn = useSession().user.id === user.id
  const isPart = isNarrowed(narrowing)
  const here = `/user/${user.id}/document`
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
      {(total > 0 || isPart) && (
        <div className="mb-5">
          <NarrowingForm key={JSON.stringify(narrowing)} narrowing={narrowing} address={here} />
        </div>
      )}
      <DocumentList
        documents={documents}
        total={reachable(total)}
        page={page}
        size={size}
        now={now}
        withStatus={isOwn}
        withAuthor={false}
        empty={<Nothing isOwn={isOwn} isPart={isPart} hasOthers={total > 0} here={here} />}
      />
    </div>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData
  const user = matches[2].loaderData?.user
  if (!user) return pageMeta(site)
  return [
    ...pageMeta(site, { title: `${user.username} 的文档`, description: user.signature }),
    ...personMeta({ person: user, part: '/document', page: loaderData?.page }, site?.settings.system.domain ?? ''),
  ]
}

interface Asked {
  user: number
  narrowing: Narrowing
  page: number
  now: number
}

/** By words, what fits best comes first. */
function theirs(api: Call, { user, narrowing, page, now }: Asked) {
  const asked = { user_id: [user], created_at: timesOf(narrowing, now), page }
  if (narrowing.wd !== '') return api(documents.search, { ...asked, wd: narrowing.wd })
  return api(documents.list, { ...asked, size })
}

interface NothingProps {
  isOwn: boolean
  isPart: boolean
  hasOthers: boolean
  here: string
}

function Nothing({ isOwn, isPart, hasOthers, here }: NothingProps) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to={here}>回到第一页</ButtonLink>} />
  if (isPart) {
    return (
      <EmptyState title="没有找到" action={<ButtonLink to={here}>显示全部</ButtonLink>}>
        换个词或别的时间试试。
      </EmptyState>
    )
  }
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
