import type { Route } from './+types/vip.ts'
import { vip } from '#shared/contract/vip.ts'
import { joinVipPath, sellsVip } from '#web/domain/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { lastEnd } from '#web/features/orders/vip/own-vip.ts'
import { ActiveVip, OwnVipCards } from '#web/features/orders/vip/own-vip-cards.tsx'
import { load } from '#web/lib/load.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) => {
  const [{ total, user_vip }, active] = await Promise.all([
    api(vip.own, { page: parsePage(url.searchParams), size }),
    api(vip.active),
  ])
  return { total, cards: user_vip, active, now: Date.now() }
}).client

export default function MyVip({ loaderData: { total, cards, active, now } }: Route.ComponentProps) {
  const isSold = sellsVip(useSite().settings)
  // On another page of the list the last card may not be among these.
  const end = lastEnd([...cards, active], now)
  const isActive = active.id > 0 && end !== undefined
  return (
    <div className="space-y-6">
      {isActive && (
        <Card>
          <div className="flex flex-wrap items-start justify-between gap-4">
            <ActiveVip card={active} end={end} now={now} />
            {isSold && (
              <ButtonLink to={joinVipPath} variant="primary">
                续费
              </ButtonLink>
            )}
          </div>
        </Card>
      )}
      <Card
        title={isActive ? '我的 VIP 卡' : 'VIP 会员'}
        aside={
          !isActive &&
          isSold &&
          total > 0 && (
            <ButtonLink to={joinVipPath} variant="primary" size="sm">
              开通 VIP
            </ButtonLink>
          )
        }
      >
        <MemberList
          total={total}
          size={size}
          rows={cards.length}
          empty={
            <EmptyState title="还没有 VIP 记录" action={isSold && <ButtonLink to={joinVipPath}>开通 VIP</ButtonLink>}>
              {isSold ? '开通 VIP 后，可以在这里看到有效期。' : '网站现在不出售 VIP。'}
            </EmptyState>
          }
        >
          <OwnVipCards cards={cards} now={now} />
        </MemberList>
      </Card>
    </div>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: 'VIP 会员' })
}
