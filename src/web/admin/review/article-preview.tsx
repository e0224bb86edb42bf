import { createContext, type ReactNode, use } from 'react'
import type { Article } from '#shared/contract/articles.ts'
import styles from '#web/admin/review/review.module.css'

/** Renders an article's text as readers see it. The admin does not import the public pages: the route hands it in. */
export const ArticleRenderer = createContext<(article: Article) => ReactNode>(() => null)

export function ArticlePreview({ article }: { article: Article }) {
  const renderText = use(ArticleRenderer)
  return <div className={styles.article}>{renderText(article)}</div>
}
