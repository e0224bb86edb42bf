import { useState } from 'react'
import type { Order } from '#shared/contract/orders.ts'
import { readDownloadCode } from '#shared/download-code.ts'
import { PaymentMethod } from '#shared/enums.ts'
import { formatYuan } from '#shared/prices.ts'
import { useCreditName } from '#web/domain/site.ts'
import { DownloadCodeField } from '#web/features/orders/download-code-field.tsx'
import { mistypedCode } from '#web/features/orders/mistyped-code.ts'
import { ClaimForm } from '#web/features/orders/pay/claim-form.tsx'
import { MethodCards, type PayMethods } from '#web/features/orders/pay/method-cards.tsx'
import { ScanCode } from '#web/features/orders/pay/scan-code.tsx'
import { usePayment } from '#web/features/orders/pay/use-payment.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

interface PayPanelProps {
  order: Order
  methods: PayMethods
}

/** Paying a pending order: the choice of the method, then what the buyer has to do. */
export function PayPanel({ order, methods }: PayPanelProps) {
  const payment = usePayment(order)
  const { step } = payment
  const titleOf = (method: PaymentMethod) =>
    methods.method.find(({ payment_type }) => payment_type === method)?.title ?? ''
  if (payment.isConfirming) return <Confirming onPayAgain={payment.startAgain} />
  return (
    <Card>
      {order.claim && (
        <div className="mb-5">
          <Notice tone="warning">{`管理人员没有查到您说的付款。${order.claim}`}</Notice>
        </div>
      )}
      {step?.kind === 'qrcode' && (
        <ScanCode order={order} method={step.method} content={step.content} onBack={payment.startAgain} />
      )}
      {step?.kind === 'offline' && (
        <ClaimForm
          order={order}
          method={step.method}
          title={titleOf(step.method)}
          text={step.text}
          onBack={payment.startAgain}
        />
      )}
      {!step && <MethodChoice order={order} methods={methods} busy={payment.busy} onPay={payment.pay} />}
    </Card>
  )
}

interface MethodChoiceProps extends PayPanelProps {
  busy: boolean
  onPay: (method: PaymentMethod, downcode?: string) => void
}

function MethodChoice({ order, methods, busy, onPay }: MethodChoiceProps) {
  const creditName = useCreditName()
  const [picked, setPicked] = useState<PaymentMethod>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const usable = methods.method.filter(
    ({ payment_type }) => payment_type !== PaymentMethod.Credits || methods.balance >= order.amount,
  )
  const chosen = usable.find(({ payment_type }) => payment_type === picked) ?? usable[0]
  const method = chosen?.payment_type
  if (methods.method.length === 0)
    return <EmptyState title="暂时没有可用的支付方式">网站还没有开通收款，请联系管理员。</EmptyState>
  const label = chosen?.is_trial
    ? '试运行：不付款，直接算作已支付'
    : method === PaymentMethod.Credits
      ? `支付 ${order.amount} ${creditName}`
      : method === PaymentMethod.DownloadCode
        ? '使用下载码'
        : `支付 ¥${formatYuan(order.money)}`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (method === undefined || busy) return
        if (method !== PaymentMethod.DownloadCode) onPay(method)
        else if (readDownloadCode(code) !== undefined) onPay(method, code.trim())
        else {
          setProblem(mistypedCode(code))
          event.currentTarget.querySelector<HTMLInputElement>('input[name=code]')?.focus()
        }
      }}
      noValidate
    >
      <MethodCards order={order} methods={methods} chosen={method} onChoose={setPicked} />
      {method === PaymentMethod.DownloadCode && (
        <div className="mt-4 max-w-sm">
          <DownloadCodeField
            value={code}
            error={problem}
            onChange={(typed) => {
              setCode(typed)
              setProblem('')
            }}
          />
        </div>
      )}
      <div className="mt-6">
        {method === undefined ? (
          <Notice tone="warning">{`${creditName}不够，请先充值。`}</Notice>
        ) : (
          <Button type="submit" variant="primary" size="lg" busy={busy} className="max-sm:w-full">
            {label}
          </Button>
        )}
      </div>
    </form>
  )
}

function Confirming({ onPayAgain }: { onPayAgain: () => void }) {
  return (
    <Card>
      <output className="flex flex-col items-center px-4 py-8 text-center">
        <span className="text-accent">
          <Spinner size={36} />
        </span>
        <span className="mt-5 text-lg font-semibold">正在确认付款…</span>
        <span className="mt-1.5 max-w-md text-sm text-balance text-muted">
          正在向支付平台核实，通常几秒钟就有结果，这个页面会自己更新。请不要重复付款。
        </span>
      </output>
      <div className="flex justify-center pb-2">
        <Button onClick={onPayAgain}>还没有付款，继续支付</Button>
      </div>
    </Card>
  )
}
