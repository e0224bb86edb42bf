/** The keywords of documents without duplicates, in their order. */
export function collectKeywords(documents: readonly { keywords: string }[], max = 24): string[] {
  const words = documents.flatMap(({ keywords }) => keywords.split(/[,，、;；|\s]+/))
  const unique = new Map(words.filter((word) => word !== '').map((word) => [word.toLowerCase(), word]))
  return [...unique.values()].slice(0, max)
}
