import type { Article } from '#shared/contract/articles.ts'

/** What a list shows of an article; the rest would only make the page heavier. */
export interface ListedArticle {
  identifier: string
  title: string
  description: string
  cover: string
  author: { id: number; username: string; avatar: string }
  created_at: number | null
  view_count: number
  favorite_count: number
  comment_count: number
  isRecommended: boolean
}

export function listed(article: Article): ListedArticle {
  const { identifier, title, cover, user, created_at, view_count, favorite_count, comment_count } = article
  return {
    identifier,
    title,
    description: summary(article.description),
    cover,
    author: { id: user.id, username: article.author || user.username, avatar: user.avatar },
    created_at,
    view_count,
    favorite_count,
    comment_count,
    isRecommended: article.recommend_at !== null,
  }
}

/** What a line with a title alone shows. */
export interface ArticleLine {
  identifier: string
  title: string
  view_count: number
}

export function line({ identifier, title, view_count }: Article): ArticleLine {
  return { identifier, title, view_count }
}

/** Two lines at most are shown. */
const summaryLength = 140

function summary(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim()
  return words.length > summaryLength ? `${words.slice(0, summaryLength).toWellFormed()}…` : words
}
