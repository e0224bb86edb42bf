import type { Article } from '#shared/contract/articles.ts'

/** The fields of an article that lists show: the page carries no others. */
export interface ArticleSummary {
  identifier: string
  title: string
  description: string
  cover: string
  author: { id: number; username: string; avatar: string; isVip: boolean }
  created_at: number | null
  view_count: number
  favorite_count: number
  comment_count: number
  isRecommended: boolean
}

export function toArticleSummary(article: Article): ArticleSummary {
  const { identifier, title, cover, user, created_at, view_count, favorite_count, comment_count } = article
  return {
    identifier,
    title,
    description: truncate(article.description),
    cover,
    author: { id: user.id, username: article.author || user.username, avatar: user.avatar, isVip: user.is_vip },
    created_at,
    view_count,
    favorite_count,
    comment_count,
    isRecommended: article.recommend_at !== null,
  }
}

/** For lists of titles. */
export interface ArticleLink {
  identifier: string
  title: string
  view_count: number
}

export function toArticleLink({ identifier, title, view_count }: Article): ArticleLink {
  return { identifier, title, view_count }
}

/** Lists show at most two lines. */
const maxDescriptionLength = 140

function truncate(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength).toWellFormed()}…` : line
}
