import type { Route } from './+types/top-up.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import { useTakesMoney } from '#web/domain/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { creditNameOf, useSite } from '#web/domain/site.ts'
import { parseAmount } from '#web/features/orders/top-up/top-up-amounts.ts'
import { TopUpForm } from '#web/features/orders/top-up/top-up-form.tsx'
import { load } from '#web/lib/load.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'

export const clientLoader = load(async ({ api, url }) => ({
  balance: (await api(currentUser.get)).credit_count,
  needed: parseAmount(url.searchParams.get('quantity') ?? ''),
})).client

export default function TopUp({ loaderData: { balance, needed } }: Route.ComponentProps) {
  const site = useSite()
  const creditName = creditNameOf(site)
  const takesMoney = useTakesMoney()
  return (
    <Page narrow>
      <Card
        title={`${creditName}充值`}
        aside={
          <p className="text-sm text-muted">
            现有 <b className="text-lg font-semibold text-ink tabular-nums">{`${balance} ${creditName}`}</b>
          </p>
        }
      >
        {takesMoney ? (
          <TopUpForm needed={needed} />
        ) : (
          <EmptyState title="暂时不能充值" action={<ButtonLink to="/me/credit">查看{creditName}明细</ButtonLink>}>
            网站还没有开通收款，请联系管理员。
          </EmptyState>
        )}
      </Card>
    </Page>
  )
}

export function HydrateFallback() {
  return (
    <Page narrow>
      <Card>
        <SkeletonRows count={6} />
      </Card>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData
  return pageMeta(site, { title: `${creditNameOf(site)}充值` })
}
