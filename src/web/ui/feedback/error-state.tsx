import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CordDrawing } from '#web/ui/drawings/cord.tsx'

/** A failed request: says why, and offers a retry. */
export function ErrorState({
  message,
  retry,
  busy,
  action,
}: {
  message: string
  retry?: () => void
  busy?: boolean
  action?: ReactNode
}) {
  return (
    <div role="alert" className="flex flex-col items-center px-4 py-12 text-center">
      <CordDrawing />
      <p className="mt-4 max-w-md">{message}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        {retry && (
          <Button onClick={retry} busy={busy ?? false}>
            {!busy && <RotateCw size={16} aria-hidden />}
            重试
          </Button>
        )}
        {action}
      </div>
    </div>
  )
}
