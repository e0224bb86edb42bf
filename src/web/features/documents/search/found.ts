import type { Hit } from '#shared/contract/documents.ts'
import type { Marked } from '#shared/contract/search.ts'
import { listed, type Listed } from '#web/features/documents/browse/listed.ts'
import { documentPath } from '#web/lib/paths.ts'

/** A document that has the words, and where. */
export interface Found extends Listed {
  titleRanges: number[][]
  excerpt: Marked
  /** The page to open, and how many have the words; 0 where none may be looked at. */
  hitPage: number
  hitPages: number
}

export function found(hit: Hit): Found {
  const { title_ranges, excerpt, hit_page, hit_pages } = hit
  return { ...listed(hit), titleRanges: title_ranges, excerpt, hitPage: hit_page, hitPages: hit_pages }
}

/** Opens the document on the page that has the words, and shows them there. */
export function hitPath({ uuid, hitPage }: Found, words: string): string {
  return `${documentPath({ uuid })}?${new URLSearchParams({ page: String(hitPage), find: words })}`
}

export function countText(total: number, more: boolean): string {
  const figure = total.toLocaleString('zh-CN')
  return more ? `超过 ${figure} 份` : `${figure} 份`
}
