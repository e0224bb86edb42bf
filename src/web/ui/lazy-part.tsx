import { use, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { useWhenOnline } from '#web/lib/browser/online.ts'
import { reloadIfUpgraded } from '#web/lib/browser/reload.ts'

/**
 * A component whose script is loaded on demand. Should that fail, the part says so in its place and offers a retry; the
 * rest of the page stays. To be rendered inside `Suspense`.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Failure: ComponentType<P & Retry> = InlineFailure,
): ComponentType<P> {
  let loading: Promise<ComponentType<P> | undefined> | undefined
  const start = () => (loading = load().catch(reloadIfUpgraded))
  return function LazyPart(props) {
    const [, render] = useState<object>()
    const current = loading ?? start()
    const Part = use(current)
    // A failure is not remembered: the next time the part is shown, it is loaded again.
    useEffect(
      () => () => {
        if (!Part && loading === current) loading = undefined
      },
      [Part, current],
    )
    if (Part) return <Part {...props} />
    const retry = () => {
      // Another part on the page may have tried already.
      if (loading === current) void start()
      render({})
    }
    return <Failure {...props} retry={retry} />
  }
}

/** As `lazyPart`, for dialogs and drawers: the failure is shown above the page, and can be closed. */
export function lazyOverlay<P extends Overlay>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazyPart(load, OverlayFailure)
}

/** For a part that readers do not miss: it is loaded when the network is back. */
export function QuietFailure({ retry }: Retry): ReactNode {
  useWhenOnline(retry)
  return null
}

export interface Retry {
  retry: () => void
}

interface Overlay {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onClose?: () => void
}

const sentence = '没有加载成功，请检查网络'

export function InlineFailure({ retry }: Retry) {
  useWhenOnline(retry)
  return (
    <span role="alert" className="text-sm text-muted">
      {sentence}
      <button type="button" onClick={retry} className="min-h-9 px-2 font-medium text-accent hover:underline">
        重试
      </button>
    </span>
  )
}

function OverlayFailure({ open = true, onOpenChange, onClose, retry }: Overlay & Retry) {
  const close = () => {
    onOpenChange?.(false)
    onClose?.()
  }
  if (!open) return <QuietFailure retry={retry} />
  return (
    <span className="fixed top-1/2 left-1/2 z-50 flex w-max max-w-[calc(100vw-2rem)] -translate-1/2 flex-wrap items-center rounded-lg border border-line bg-surface p-4 shadow-soft">
      <InlineFailure retry={retry} />
      <button type="button" onClick={close} className="min-h-9 px-2 text-sm text-muted hover:text-ink">
        关闭
      </button>
    </span>
  )
}
