export const maxTags = 10
/** Of all tags together, joined by commas. */
const maxTagsLength = 255

/** Splits a list of tags, which may contain spaces, and drops duplicates. */
export function parseTags(text: string): string[] {
  const words = text.split(separators).map((word) => word.trim().replace(/\s+/g, ' '))
  const unique = new Map(words.filter(Boolean).map((word) => [word.toLowerCase(), word]))
  return [...unique.values()]
}

export const joinTags = (tags: readonly string[]): string => tags.join(',')

/** Adds the typed tags, as far as the limits allow. */
export function addTags(tags: readonly string[], typed: string): { tags: string[]; problem: string } {
  const existing = new Set(tags.map((tag) => tag.toLowerCase()))
  const next = [...tags]
  for (const tag of parseTags(typed)) {
    if (existing.has(tag.toLowerCase())) continue
    if (next.length >= maxTags) return { tags: next, problem: `最多 ${maxTags} 个标签` }
    if (joinTags([...next, tag]).length > maxTagsLength)
      return { tags: next, problem: `标签总共不能超过 ${maxTagsLength} 个字符` }
    next.push(tag)
  }
  return { tags: next, problem: '' }
}

/** Whether the text contains a separator. */
export function endsTag(typed: string): boolean {
  return separators.test(typed)
}

const separators = /[,，、;；\n]/
