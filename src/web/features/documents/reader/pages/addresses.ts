import type { Ground } from '#shared/grounds.ts'

/** `hash` is the document's view key. */
export function pagePicture(hash: string, page: number, ground: Ground = 'day'): string {
  return `/view/page/${hash}/${page}${ground === 'day' ? '' : `.${ground}`}.svg`
}

export function pageTextAddress(hash: string, page: number): string {
  return `/view/text/${hash}/${page}.json`
}
