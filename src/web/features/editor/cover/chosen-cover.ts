import type { Article } from '#shared/contract/articles.ts'

/** The cover that the author has chosen; empty if it is the first picture in the text. */
export function chosenCover({ cover, content }: Pick<Article, 'cover' | 'content'>): string {
  return cover === findPictures(content)[0] ? '' : cover
}

/** The addresses of the pictures in a text, once each. */
export function findPictures(html: string): string[] {
  const pictures = new DOMParser().parseFromString(html, 'text/html').querySelectorAll('img[src]')
  return [...new Set([...pictures].map((picture) => picture.getAttribute('src') ?? ''))].filter(Boolean)
}
