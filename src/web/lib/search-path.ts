/** Where these words are looked for: among documents, or among articles (1). */
export function searchPath(words: string, type: 0 | 1 = 0): string {
  return `/search?${new URLSearchParams({ wd: words, type: String(type) })}`
}
