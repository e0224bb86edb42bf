/** The words of a page's documents, each once, in the order in which they come. */
export function keywordsOf(documents: readonly { keywords: string }[], most = 24): string[] {
  const words = documents.flatMap(({ keywords }) => keywords.split(/[,，、;；|\s]+/))
  const known = new Map(words.filter((word) => word !== '').map((word) => [word.toLowerCase(), word]))
  return [...known.values()].slice(0, most)
}
