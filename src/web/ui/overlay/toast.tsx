import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, type ReactElement } from 'react'
import { takeFlash } from '#web/lib/flash.ts'
import { createStore, useStore } from '#web/lib/store.ts'

type Tone = 'success' | 'danger'

interface Toast {
  id: number
  tone: Tone
  text: string
  /** In place of the icon, for a moment worth a picture. */
  drawing: ReactElement | undefined
}

const none: readonly Toast[] = []
const store = createStore(() => none)
let lastId = 0

/** Shows a message for a few seconds. */
export function toast(text: string, tone: Tone = 'success', drawing?: ReactElement): void {
  const id = (lastId += 1)
  store.set([...store.get().slice(-2), { id, tone, text, drawing }])
  setTimeout(() => dismiss(id), tone === 'danger' || drawing ? 6000 : 3500)
}

export function Toaster() {
  const toasts = useStore(store, none)
  useEffect(() => {
    const text = takeFlash()
    if (text) toast(text)
  }, [])
  return (
    <output className="pointer-events-none fixed inset-x-0 top-20 z-50 flex flex-col items-center gap-2 px-4">
      {toasts.map(({ id, tone, text, drawing }) => {
        const Icon = tone === 'danger' ? CircleAlert : CircleCheck
        return (
          <div
            key={id}
            className="pointer-events-auto flex max-w-md animate-appear items-center gap-2.5 rounded-md bg-surface py-2.5 pr-2 pl-4 text-sm shadow-soft"
          >
            {drawing ?? (
              <Icon
                size={18}
                className={tone === 'danger' ? 'shrink-0 text-danger' : 'shrink-0 text-success'}
                aria-hidden
              />
            )}
            <span>{text}</span>
            <button
              type="button"
              aria-label="关闭提示"
              onClick={() => dismiss(id)}
              className="rounded-sm p-1.5 text-muted hover:text-ink"
            >
              <X size={14} aria-hidden />
            </button>
          </div>
        )
      })}
    </output>
  )
}

function dismiss(id: number): void {
  store.set(store.get().filter((item) => item.id !== id))
}
