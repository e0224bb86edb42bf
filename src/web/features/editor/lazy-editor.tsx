import { lazy } from 'react'

/** The editor and its libraries are loaded on demand. */
export const LazyEditor = lazy(async () => ({
  default: (await import('#web/features/editor/article-editor.tsx')).ArticleEditor,
}))
