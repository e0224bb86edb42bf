import type { ArticleHit } from '#shared/contract/articles.ts'
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
  return {
    ...listed(hit),
    titleRanges: title_ranges,
    excerpt: inSight(excerpt),
    hitPage: hit_page,
    hitPages: hit_pages,
  }
}

/** Opens the document on the page that has the words, and shows them there. */
export function hitPath({ uuid, hitPage }: Found, words: string): string {
  return `${documentPath({ uuid })}?${new URLSearchParams({ page: String(hitPage), find: words })}`
}

/** An article that has the words. */
export interface FoundArticle {
  identifier: string
  title: string
  titleRanges: number[][]
  excerpt: Marked
  author: string
  /** 0 when the account is gone. */
  userId: number
  /** The narrowest of its categories. */
  category: string
  views: number
  comments: number
  createdAt: number | null
}

export function foundArticle(hit: ArticleHit): FoundArticle {
  const { identifier, title, title_ranges, excerpt, description, user, category, view_count, comment_count } = hit
  return {
    identifier,
    title,
    titleRanges: title_ranges,
    excerpt: excerpt.text === '' ? { text: description, ranges: [] } : inSight(excerpt),
    author: user.username,
    userId: user.id,
    category: category.at(-1)?.title ?? '',
    views: view_count,
    comments: comment_count,
    createdAt: hit.created_at,
  }
}

const before = 30

/** On a small screen few words of it are shown: what was found is among the first. */
export function inSight({ text, ranges }: Marked): Marked {
  const first = ranges[0]?.[0] ?? 0
  if (first <= 2 * before) return { text, ranges }
  const isHalf = /^[\udc00-\udfff]/.test(text.slice(first - before))
  const from = first - before - (isHalf ? 1 : 0)
  return { text: `…${text.slice(from)}`, ranges: ranges.map((range) => range.map((at) => at - from + 1)) }
}

const units = ['份文档', '篇文章'] as const

export function countText({ total, more, type }: { total: number; more: boolean; type: 0 | 1 }): string {
  const figure = `${total.toLocaleString('zh-CN')} ${units[type]}`
  return more ? `超过 ${figure}` : figure
}
