import { Suspense } from 'react'
import type { Order } from '#shared/contract/orders.ts'
import { PaymentMethod } from '#shared/enums.ts'
import { formatYuan } from '#shared/prices.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const Code = lazyPart(async () => (await import('#web/ui/qr-code.tsx')).QrCode)

interface ScanCodeProps {
  order: Pick<Order, 'money'>
  method: PaymentMethod
  content: string
  onBack: () => void
}

/** The code to scan with the provider's app. */
export function ScanCode({ order, method, content, onBack }: ScanCodeProps) {
  return (
    <div className="flex flex-col items-center text-center">
      <h2 className="text-lg">{`用${apps[method] ?? '手机'}扫码付款`}</h2>
      <p className="mt-1 text-2xl font-semibold tabular-nums">¥{formatYuan(order.money)}</p>
      <div className="mt-4 w-56 rounded-md border border-line bg-[#fff] p-2">
        <Suspense fallback={<span className="block aspect-square" />}>
          <Code content={content} />
        </Suspense>
      </div>
      <output className="mt-4 flex items-center gap-2 text-sm text-muted">
        <Spinner />
        等待付款，付好后这里会自己更新
      </output>
      <p className="mt-1 text-sm text-muted md:hidden">请用另一台设备扫码，或截图后在应用里从相册识别。</p>
      <div className="mt-5">
        <Button onClick={onBack}>换一种支付方式</Button>
      </div>
    </div>
  )
}

const apps: Partial<Record<PaymentMethod, string>> = {
  [PaymentMethod.WeChatPay]: '微信',
  [PaymentMethod.Alipay]: '支付宝',
}
