import { WifiOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOnline } from '#web/lib/browser/online.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

export function NetworkNotice() {
  const online = useOnline()
  const wasOnline = useRef(online)
  useEffect(() => {
    if (online && !wasOnline.current) toast('网络已恢复')
    wasOnline.current = online
  }, [online])
  return (
    <output className="fixed inset-x-0 bottom-0 z-50 block empty:hidden">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-ink px-4 py-2.5 text-sm text-canvas">
          <WifiOff size={16} aria-hidden />
          网络已断开，恢复后可继续操作
        </p>
      )}
    </output>
  )
}
