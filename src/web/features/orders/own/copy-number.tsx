import { Copy } from 'lucide-react'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The number of an order, for who asks about it. */
export function CopyNumber({ number }: { number: string }) {
  const copy = async () => {
    const isCopied = await copyText(number)
    toast(isCopied ? '订单号已复制' : '没有复制成功，请选中订单号再复制', isCopied ? undefined : 'danger')
  }
  return (
    <span className="inline-flex items-center gap-1 wrap-anywhere tabular-nums">
      {number}
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={`复制订单号 ${number}`}
        title="复制订单号"
        className="-my-1.5 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink print:hidden"
      >
        <Copy size={14} aria-hidden />
      </button>
    </span>
  )
}
