import { perTab } from '#web/lib/browser/storage.ts'

/** The keys of share links that this tab has opened: the API takes them in a header. */

export const shareKeyHeader = 'x-share-key'

const storageKey = 'wendou_shares'
/** The server reads no more. */
const maxKeys = 10

export function shareKeys(): string {
  return perTab.read(storageKey) ?? ''
}

export function addShareKey(key: string): void {
  const keys = shareKeys().split(',').filter(Boolean)
  perTab.write(storageKey, [key, ...keys].slice(0, maxKeys).join(','))
}
