import type { Route } from './+types/join-vip.ts'
import { navigations } from '#shared/contract/site.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'
import { VipOfferCards } from '#web/features/orders/vip/vip-offer-cards.tsx'
import { load } from '#web/lib/load.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

/** Offers are in the settings: this is asked so that a closed site shows none. */
const page = load(async ({ api }) => {
  await api(navigations.list, { page: 1, size: 10_000 })
  return null
})
export const loader = page.server
export const clientLoader = page.client

export default function JoinVip() {
  const { vip } = useSite().settings
  return (
    <Page>
      <h1 className="text-2xl">开通 VIP</h1>
      {vip.enable ? (
        <>
          <p className="mt-1.5 mb-6 text-muted">选择一张卡，付款后立即生效。</p>
          <VipOfferCards />
        </>
      ) : (
        <EmptyState title="网站没有开通 VIP" action={<ButtonLink to="/category">去逛逛</ButtonLink>}>
          这里暂时不出售 VIP 会员。
        </EmptyState>
      )}
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '开通 VIP', path: '/joinvip' })
}
