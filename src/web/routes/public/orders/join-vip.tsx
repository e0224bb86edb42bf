import type { Route } from './+types/join-vip.ts'
import { navigations } from '#shared/contract/site.ts'
import { sellsVip } from '#web/domain/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'
import { VipOfferCards } from '#web/features/orders/vip/vip-offer-cards.tsx'
import { load } from '#web/lib/load.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

const vipSettings = '/admin/config/vip'

/** Offers are in the settings: this is asked so that a closed site shows none. */
const page = load(async ({ api }) => {
  await api(navigations.list, { page: 1, size: 10_000 })
  return null
})
export const loader = page.server
export const clientLoader = page.client

export default function JoinVip() {
  const { settings } = useSite()
  const { allowPages } = useSession()
  // Members may have a card all the same: from staff.
  const isHalfDone = settings.vip.enable && allowPages.includes(vipSettings)
  return (
    <Page>
      <h1 className="text-2xl">开通 VIP</h1>
      {sellsVip(settings) ? (
        <>
          <p className="mt-1.5 mb-6 text-muted">选择一张卡，付款后立即生效。</p>
          <VipOfferCards />
        </>
      ) : (
        <EmptyState
          title="现在没有出售的 VIP 卡"
          action={
            isHalfDone ? (
              <ButtonLink to={vipSettings}>设置价格</ButtonLink>
            ) : (
              <ButtonLink to="/category">去逛逛</ButtonLink>
            )
          }
        >
          {isHalfDone
            ? 'VIP 已经启用，但年卡、季卡、月卡的价格都是 0，所以会员买不到，网站上也不提 VIP。填写至少一张卡的价格就开始出售。'
            : '网站暂时不出售 VIP 会员。'}
        </EmptyState>
      )}
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '开通 VIP', path: '/joinvip' })
}
