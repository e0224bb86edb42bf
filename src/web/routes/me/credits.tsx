import type { Route } from './+types/credits.ts'
import { credits } from '#shared/contract/credits.ts'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'
import { Ledger } from '#web/features/users/centre/ledger.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) =>
  api(credits.entries, { page: pageOf(url.searchParams), size }),
).client

export default function MyCredits({ matches, loaderData: { total, entry } }: Route.ComponentProps) {
  const { credit_name } = useSite().settings.system
  const isPending = useListPending()
  const balance = `${matches[2].loaderData.user.credit_count} ${credit_name || '豆子'}`
  return (
    <Card
      title="积分明细"
      aside={
        <p className="text-sm text-muted">
          现有 <b className="text-lg font-semibold text-ink tabular-nums">{balance}</b>
        </p>
      }
    >
      {isPending ? (
        <SkeletonRows count={8} />
      ) : entry.length > 0 ? (
        <Ledger entries={entry} />
      ) : (
        <Nothing hasOthers={total > 0} />
      )}
      <Pager total={total} size={size} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '积分明细' })
}

function Nothing({ hasOthers }: { hasOthers: boolean }) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to="?page=1">回到第一页</ButtonLink>} />
  return (
    <EmptyState title="还没有积分变动" action={<ButtonLink to="/upload">上传文档</ButtonLink>}>
      签到、上传文档可以得到积分，下载付费文档会用掉积分，每一笔都记在这里。
    </EmptyState>
  )
}
