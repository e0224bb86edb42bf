import type { Article } from '#shared/contract/articles.ts'

/** The cover that the author has chosen; empty if it is the first picture in the text. */
export function chosenCover({ cover, content }: Pick<Article, 'cover' | 'content'>): string {
  const first = new DOMParser().parseFromString(content, 'text/html').querySelector('img[src]')
  return cover === first?.getAttribute('src') ? '' : cover
}
