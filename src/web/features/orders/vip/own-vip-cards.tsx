import { Check, Crown } from 'lucide-react'
import { Link } from 'react-router'
import type { UserVip } from '#shared/contract/vip.ts'
import { vipCardLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { receiptPath } from '#web/domain/orders.ts'
import { cardState, downloadsText, periodText, type CardState } from '#web/features/orders/vip/own-vip.ts'
import { describeCard } from '#web/features/orders/vip/vip-offers.ts'
import { cx } from '#web/ui/class-names.ts'

const dayMs = 86_400_000

/** The card that counts now: until when, and what it brings. */
export function ActiveVip({ card, end, now }: { card: UserVip; end: number; now: number }) {
  return (
    <div className="min-w-0 flex-1 basis-72">
      <p className="flex items-center gap-2.5 text-lg font-semibold">
        <Crown size={22} className="text-warning" aria-hidden />
        {`您是 VIP 会员（${vipCardLabels[card.type]}）`}
      </p>
      <p className="mt-1.5 text-muted tabular-nums">
        {`有效期至 ${formatTime(end)}，还有 ${Math.ceil((end - now) / dayMs)} 天`}
      </p>
      <ul className="mt-4 grid gap-2 text-sm sm:grid-cols-2">
        {[downloadsText(card, 'active'), ...describeCard(card).slice(1)].map((benefit) => (
          <li key={benefit} className="flex gap-2">
            <Check size={16} className="mt-0.5 shrink-0 text-success" aria-hidden />
            {benefit}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** All cards of the member. */
export function OwnVipCards({ cards, now }: { cards: UserVip[]; now: number }) {
  return (
    <ul className="divide-y divide-line">
      {cards.map((card) => {
        const state = cardState(card, now)
        const { title, style } = states[state]
        return (
          <li key={card.id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-4 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex items-center gap-2 font-medium">
                VIP {vipCardLabels[card.type]}
                <span className={cx('rounded-sm px-1.5 py-0.5 text-xs', style)}>{title}</span>
              </p>
              <p className="mt-1 text-sm text-muted tabular-nums">{periodText(card)}</p>
              <p className="mt-0.5 text-sm text-muted tabular-nums">{downloadsText(card, state)}</p>
            </div>
            {card.order_no && (
              <Link to={receiptPath(card)} className="py-1 text-sm text-accent hover:underline">
                查看订单
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const states: Record<CardState, { title: string; style: string }> = {
  active: { title: '使用中', style: 'bg-accent-soft text-accent' },
  waiting: { title: '还没开始', style: 'bg-warning-soft text-warning' },
  over: { title: '已到期', style: 'bg-sunken text-muted' },
}
