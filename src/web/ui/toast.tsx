import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { takePartingWords } from '#web/lib/parting-words.ts'

type Tone = 'success' | 'danger'

interface Toast {
  id: number
  tone: Tone
  text: string
}

/** Says how something went, for a few seconds. */
export function toast(text: string, tone: Tone = 'success'): void {
  const id = (lastId += 1)
  update([...toasts.slice(-2), { id, tone, text }])
  setTimeout(() => dismiss(id), tone === 'danger' ? 6000 : 3500)
}

export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  )
  useEffect(() => {
    const text = takePartingWords()
    if (text) toast(text)
  }, [])
  return (
    <output className="pointer-events-none fixed inset-x-0 top-20 z-50 flex flex-col items-center gap-2 px-4">
      {shown.map(({ id, tone, text }) => {
        const Icon = tone === 'danger' ? CircleAlert : CircleCheck
        return (
          <div
            key={id}
            className="pointer-events-auto flex max-w-md animate-appear items-center gap-2.5 rounded-md bg-surface py-2.5 pr-2 pl-4 text-sm shadow-soft"
          >
            <Icon
              size={18}
              className={tone === 'danger' ? 'shrink-0 text-danger' : 'shrink-0 text-success'}
              aria-hidden
            />
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

const none: Toast[] = []
const listeners = new Set<() => void>()
let toasts = none
let lastId = 0

function dismiss(id: number): void {
  update(toasts.filter((item) => item.id !== id))
}

function update(next: Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
