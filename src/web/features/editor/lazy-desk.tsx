import { lazy } from 'react'

/** With all that it needs, loaded only where somebody writes. */
export const LazyDesk = lazy(async () => ({
  default: (await import('#web/features/editor/article-desk.tsx')).ArticleDesk,
}))
