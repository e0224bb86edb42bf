import { useOnline, useWhenOnline } from '#web/lib/browser/online.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** A part of the header, so that it covers nothing. */
export function NetworkNotice() {
  useWhenOnline(() => toast('网络已恢复'))
  const online = useOnline()
  return (
    <output className="empty:hidden">
      {!online && (
        <span
          title="网络已断开，打开过的内容仍可阅读"
          className="flex h-7 items-center gap-1.5 rounded-full bg-ink px-2.5 text-xs whitespace-nowrap text-canvas before:size-2 before:rounded-full before:bg-danger"
        >
          <span className="max-[23rem]:sr-only">网络已断开</span>
        </span>
      )}
    </output>
  )
}
