import { Gift } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { maxTopUp } from '#shared/top-up-bonus.ts'
import { OrderType } from '#shared/enums.ts'
import { creditsToFen, formatYuan } from '#shared/prices.ts'
import { topUpBonus } from '#shared/top-up-bonus.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { offeredAmounts, parseAmount } from '#web/features/orders/top-up/top-up-amounts.ts'
import { useCreateOrder } from '#web/features/orders/use-create-order.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/forms/input.tsx'

interface TopUpFormProps {
  /** How much the member needs, if that is known. */
  needed: number
}

/** Buys credits: an amount to pick, or to type. */
export function TopUpForm({ needed }: TopUpFormProps) {
  const { system, payment } = useSite().settings
  const creditName = useCreditName()
  const offered = offeredAmounts(payment.topup_amounts)
  const [picked, setPicked] = useState(offered.find((amount) => amount >= needed) ?? 0)
  const [typed, setTyped] = useState(picked === 0 && needed > 0 ? String(needed) : '')
  const [problem, setProblem] = useState('')
  const { busy, create } = useCreateOrder(() => undefined)
  const quantity = picked || parseAmount(typed)
  const bonusOf = (amount: number) => topUpBonus(amount, payment.topup_bonus)
  const priceOf = (amount: number) => `¥${formatYuan(creditsToFen(amount, system.credit_exchange))}`
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    if (quantity > 0) create({ order_type: OrderType.TopUp, quantity })
    else {
      setProblem(`请输入 1 到 ${maxTopUp.toLocaleString('zh-CN')} 的整数`)
      event.currentTarget.querySelector<HTMLInputElement>('input[name=amount]')?.focus()
    }
  }
  return (
    <form onSubmit={submit} noValidate>
      <fieldset>
        <legend className="mb-2 text-sm font-medium">{`选择数量（${system.credit_exchange} ${creditName} = 1 元）`}</legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
          {offered.map((amount) => (
            <label
              key={amount}
              className="relative flex min-h-22 cursor-pointer flex-col items-center justify-center rounded-md border border-line px-2 py-3 hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="offered"
                checked={picked === amount}
                onChange={() => {
                  setPicked(amount)
                  setTyped('')
                  setProblem('')
                }}
                className="sr-only"
              />
              <span className="font-semibold tabular-nums">
                {amount} {creditName}
              </span>
              <span className="text-sm text-muted tabular-nums">{priceOf(amount)}</span>
              {bonusOf(amount) > 0 && (
                <span className="mt-1 inline-flex items-center gap-1 text-xs font-medium text-warning">
                  <Gift size={13} aria-hidden />送 {bonusOf(amount)} {creditName}
                </span>
              )}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-5 max-w-xs">
        <TextField
          label="其他数量"
          name="amount"
          value={typed}
          onChange={(text) => {
            setTyped(text)
            setPicked(0)
            setProblem('')
          }}
          error={problem || undefined}
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          placeholder={`输入${creditName}的数量`}
        />
      </div>
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line pt-5">
        <p aria-live="polite" className="min-w-0 flex-1 basis-48">
          {quantity > 0 && (
            <>
              <span className="text-2xl font-semibold tabular-nums">{priceOf(quantity)}</span>
              <span className="ml-3 text-sm text-muted tabular-nums">
                得到 {quantity + bonusOf(quantity)} {creditName}
                {bonusOf(quantity) > 0 && `（含赠送 ${bonusOf(quantity)}）`}
              </span>
            </>
          )}
        </p>
        <Button type="submit" variant="primary" size="lg" busy={busy} className="max-sm:w-full">
          去支付
        </Button>
      </div>
      <BonusSteps steps={payment.topup_bonus} creditName={creditName} />
    </form>
  )
}

function BonusSteps({ steps, creditName }: { steps: readonly string[]; creditName: string }) {
  const rules = steps.flatMap((step) => {
    const [from = '', bonus = ''] = step.split('+')
    return parseAmount(from) > 0 && parseAmount(bonus) > 0 ? [`满 ${parseAmount(from)} 送 ${parseAmount(bonus)}`] : []
  })
  if (rules.length === 0) return null
  return (
    <p className="mt-4 text-sm text-muted tabular-nums">
      一次充值{rules.join('，')} {creditName}。
    </p>
  )
}
