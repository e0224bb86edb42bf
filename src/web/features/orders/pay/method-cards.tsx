import {
  Banknote,
  Coins,
  CreditCard,
  FlaskConical,
  Landmark,
  MessageCircle,
  ScanQrCode,
  Ticket,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import { Link } from 'react-router'
import type { Order, orders } from '#shared/contract/orders.ts'
import type { Reply } from '#shared/endpoint.ts'
import { PaymentMethod } from '#shared/enums.ts'
import { topUpPath, useTakesMoney } from '#web/domain/orders.ts'
import { formatYuan } from '#shared/prices.ts'
import { useCreditName } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

export type PayMethods = Reply<typeof orders.methods>

interface MethodCardsProps {
  order: Order
  methods: PayMethods
  chosen: PaymentMethod | undefined
  onChoose: (method: PaymentMethod) => void
}

/** The ways to pay, of which one is chosen. */
export function MethodCards({ order, methods: { balance, method }, chosen, onChoose }: MethodCardsProps) {
  const creditName = useCreditName()
  const takesMoney = useTakesMoney()
  const lacks = order.amount - balance
  return (
    <fieldset>
      <legend className="mb-3 text-lg font-semibold">选择支付方式</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {method.map(({ payment_type, title, icon, is_trial }) => {
          const Icon = icons[payment_type]
          const isCredits = payment_type === PaymentMethod.Credits
          const isShort = isCredits && lacks > 0
          return (
            <label
              key={payment_type}
              className={cx(
                'flex min-h-18 items-center gap-3 rounded-md border border-line px-4 py-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
                isShort ? 'text-muted' : 'cursor-pointer hover:border-edge',
                is_trial && 'border-dashed',
              )}
            >
              <input
                type="radio"
                name="method"
                checked={chosen === payment_type}
                disabled={isShort}
                onChange={() => onChoose(payment_type)}
                className="size-4 shrink-0 accent-accent outline-none"
              />
              {icon ? (
                <img src={icon} alt="" className="size-6 shrink-0 rounded-sm object-contain" />
              ) : (
                <Icon
                  size={22}
                  className={cx('shrink-0', !isShort && (brandColors[payment_type] ?? 'text-accent'))}
                  aria-hidden
                />
              )}
              <span className="min-w-0">
                <span className="block font-medium">{isCredits ? `${creditName}支付` : title}</span>
                <span className="block text-sm text-muted tabular-nums">
                  {payment_type === PaymentMethod.DownloadCode
                    ? '一个下载码换一份文档'
                    : isCredits
                      ? `余额 ${balance} ${creditName}`
                      : `¥${formatYuan(order.money)}`}
                  {is_trial && ' · 不会真的收款'}
                </span>
                {isShort && (
                  <span className="block text-sm">
                    还差 {lacks} {creditName}
                    {takesMoney && (
                      <Link to={`${topUpPath}?quantity=${lacks}`} className="ml-2 text-accent hover:underline">
                        去充值
                      </Link>
                    )}
                  </span>
                )}
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

/** Buyers know the two by their colours. */
const brandColors: Partial<Record<PaymentMethod, string>> = {
  [PaymentMethod.WeChatPay]: 'text-[#07a153]',
  [PaymentMethod.Alipay]: 'text-[#1677ff]',
}

const icons: Record<PaymentMethod, LucideIcon> = {
  [PaymentMethod.WeChatPay]: MessageCircle,
  [PaymentMethod.Alipay]: ScanQrCode,
  [PaymentMethod.BankCard]: Landmark,
  [PaymentMethod.Cash]: Banknote,
  [PaymentMethod.Credits]: Coins,
  [PaymentMethod.SystemTopUp]: Coins,
  [PaymentMethod.Other]: Wallet,
  [PaymentMethod.ThirdParty]: CreditCard,
  [PaymentMethod.DownloadCode]: Ticket,
  [PaymentMethod.Advertisement]: Ticket,
  [PaymentMethod.Trial]: FlaskConical,
}
