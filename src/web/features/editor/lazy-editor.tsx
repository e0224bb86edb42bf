import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The editor and its libraries are loaded on demand. */
export const LazyEditor = lazyPart(async () => (await import('#web/features/editor/article-editor.tsx')).ArticleEditor)
