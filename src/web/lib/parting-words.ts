import { perTab } from '#web/lib/storage.ts'

/** What the next page shall say about what happened on this one. */

const key = 'toast-after-reload'

export function sayOnNextPage(text: string): void {
  perTab.write(key, text)
}

export function takePartingWords(): string {
  const text = perTab.read(key) ?? ''
  perTab.remove(key)
  return text
}
