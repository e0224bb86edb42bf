import type { Document } from '#shared/contract/documents.ts'

/** What a list shows of a document; the rest would only make the page heavier. */
export interface Listed extends Tile {
  size: number
  price: number
  score: number
  status: number
  description: string
  username: string
  user_id: number
  created_at: number | null
  isRecommended: boolean
}

/** What a cover with its title needs. */
export interface Tile {
  uuid: string
  title: string
  ext: string
  pages: number
  cover: string
}

export function listed(document: Document): Listed {
  const { size, price, score, score_count, status, description, username, user_id, created_at, recommend_at } = document
  return {
    ...tile(document),
    size,
    price,
    // A document begins with a score that nobody has given.
    score: score_count > 0 ? score : 0,
    status,
    description: description === document.title ? '' : summary(description),
    username,
    user_id,
    created_at,
    isRecommended: recommend_at !== null,
  }
}

export function tile({ uuid, title, ext, pages, cover }: Document): Tile {
  return { uuid, title, ext, pages, cover }
}

/** Two lines at most are shown; the bullets of some fonts are no characters. */
const summaryLength = 140

function summary(text: string): string {
  const line = text.replace(/[\s\p{Co}\p{Cc}]+/gu, ' ').trim()
  return line.length > summaryLength ? `${line.slice(0, summaryLength).toWellFormed()}…` : line
}
