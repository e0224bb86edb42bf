import { ContentType } from '#shared/enums.ts'
import type { ArticleHit, DocumentHit } from '#shared/contract/search.ts'
import type { MarkedText } from '#shared/contract/marked-text.ts'
import { toDocumentSummary, type DocumentSummary } from '#web/features/documents/browse/document-summary.ts'
import { documentPath } from '#web/domain/paths.ts'

/** A document with hits. */
export interface DocumentHitItem extends DocumentSummary {
  titleRanges: number[][]
  excerpt: MarkedText
  /** The page to open, and the number of pages with hits, both within the preview. */
  hitPage: number
  hitPages: number
  /** The words to find on it, where they are not the typed ones. */
  hitWords: string
}

export function toDocumentHit(hit: DocumentHit): DocumentHitItem {
  const { title_ranges, excerpt, hit_page, hit_pages, hit_words } = hit
  return {
    ...toDocumentSummary(hit),
    titleRanges: title_ranges,
    excerpt: trimExcerpt(excerpt),
    hitPage: hit_page,
    hitPages: hit_pages,
    hitWords: hit_words,
  }
}

/** Opens the document on the page with the hit, and highlights it. */
export function hitPath({ uuid, hitPage, hitWords }: DocumentHitItem, words: string): string {
  return `${documentPath({ uuid })}?${new URLSearchParams({ page: String(hitPage), find: hitWords || words })}`
}

/** Where the title has none of the words, it too leads to the page that has them. */
export function titlePath(hit: DocumentHitItem, words: string): string {
  return hit.hitPage > 0 && hit.titleRanges.length === 0 ? hitPath(hit, words) : documentPath(hit)
}

/** An article with hits. */
export interface ArticleHitItem {
  identifier: string
  title: string
  titleRanges: number[][]
  excerpt: MarkedText
  author: string
  /** 0 for a deleted account. */
  userId: number
  isVip: boolean
  /** The deepest of its categories. */
  category: string
  views: number
  comments: number
  createdAt: number | null
}

export function toArticleHit(hit: ArticleHit): ArticleHitItem {
  const { identifier, title, title_ranges, excerpt, description, user, category, view_count, comment_count } = hit
  return {
    identifier,
    title,
    titleRanges: title_ranges,
    excerpt: excerpt.text === '' ? { text: description, ranges: [] } : trimExcerpt(excerpt),
    author: user.username,
    userId: user.id,
    isVip: user.is_vip,
    category: category.at(-1)?.title ?? '',
    views: view_count,
    comments: comment_count,
    createdAt: hit.created_at,
  }
}

const contextLength = 30

/** Small screens show only the beginning of an excerpt: it must contain the first hit. */
export function trimExcerpt({ text, ranges }: MarkedText): MarkedText {
  const first = ranges[0]?.[0] ?? 0
  if (first <= 2 * contextLength) return { text, ranges }
  const splitsSurrogate = /^[\udc00-\udfff]/.test(text.slice(first - contextLength))
  const from = first - contextLength - (splitsSurrogate ? 1 : 0)
  return { text: `…${text.slice(from)}`, ranges: ranges.map((range) => range.map((at) => at - from + 1)) }
}

const units = { [ContentType.Document]: '份文档', [ContentType.Article]: '篇文章' }

export function countLabel({ total, more, type }: { total: number; more: boolean; type: ContentType }): string {
  const label = `${total.toLocaleString('zh-CN')} ${units[type]}`
  return more ? `超过 ${label}` : label
}
