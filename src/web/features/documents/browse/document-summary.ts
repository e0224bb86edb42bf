import type { DocumentStatus } from '#shared/document-status.ts'
import type { Document } from '#shared/contract/documents.ts'
import { isDrawn } from '#web/features/documents/cover.tsx'

/** The fields of a document that lists show: the page carries no others. */
export interface DocumentSummary extends CoverTile {
  size: number
  price: number
  /** Free for VIP members. */
  isVip: boolean
  score: number
  status: DocumentStatus
  description: string
  username: string
  userIsVip: boolean
  user_id: number
  created_at: number | null
  isRecommended: boolean
  /** Others with the same content. */
  copies: number
}

/** The fields of a cover with its title. */
export interface CoverTile {
  uuid: string
  title: string
  ext: string
  pages: number
  cover: string
  tint?: string
  isLandscape?: boolean
  /** The author, where the cover is drawn. */
  username?: string
}

export function toDocumentSummary(document: Document): DocumentSummary {
  const { size, price, is_vip, score, score_count, status, description, created_at, recommend_at } = document
  const { username, user_is_vip, user_id, copies } = document
  return {
    ...toCoverTile(document),
    size,
    price,
    isVip: is_vip && price > 0,
    // Documents without ratings have a default score.
    score: score_count > 0 ? score : 0,
    status,
    description: description === document.title ? '' : truncate(description),
    username,
    userIsVip: user_is_vip,
    user_id,
    created_at,
    isRecommended: recommend_at !== null,
    copies,
  }
}

export function toCoverTile(document: Document): CoverTile {
  const { uuid, title, ext, pages, cover, cover_tint, width, height, username } = document
  // Keys that most covers do not need are left out: the page carries many of them.
  return {
    uuid,
    title,
    ext,
    pages,
    cover,
    ...(width > height && { isLandscape: true, tint: cover_tint }),
    ...(isDrawn(document) && { username }),
  }
}

/** Lists show at most two lines. */
const maxDescriptionLength = 140

/** Extracted text contains private-use characters, such as the bullets of some fonts. */
function truncate(text: string): string {
  const line = text.replace(/[\s\p{Co}\p{Cc}]+/gu, ' ').trim()
  return line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength).toWellFormed()}…` : line
}
