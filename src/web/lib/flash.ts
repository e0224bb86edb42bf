import { perTab } from '#web/lib/browser/storage.ts'

/** A message that is set before a full page load and shown after it. */

const key = 'toast-after-reload'

export function setFlash(text: string): void {
  perTab.write(key, text)
}

export function takeFlash(): string {
  const text = perTab.read(key) ?? ''
  perTab.remove(key)
  return text
}
