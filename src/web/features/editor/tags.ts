export const mostTags = 10
/** Of all tags together, as they are kept: with a comma between them. */
const longest = 255

/** Words as they are kept: apart by commas, in the order of writing, each once. */
export function tagsIn(text: string): string[] {
  const words = text.split(separators).map((word) => word.trim().replace(/\s+/g, ' '))
  const byFold = new Map(words.filter(Boolean).map((word) => [word.toLowerCase(), word]))
  return [...byFold.values()]
}

export const keywordsOf = (tags: readonly string[]): string => tags.join(',')

/** With what was typed, as far as there is room; says so if there is not. */
export function addTags(tags: readonly string[], typed: string): { tags: string[]; problem: string } {
  const known = new Set(tags.map((tag) => tag.toLowerCase()))
  const next = [...tags]
  for (const tag of tagsIn(typed)) {
    if (known.has(tag.toLowerCase())) continue
    if (next.length >= mostTags) return { tags: next, problem: `最多 ${mostTags} 个标签` }
    if (keywordsOf([...next, tag]).length > longest)
      return { tags: next, problem: `标签总共不能超过 ${longest} 个字符` }
    next.push(tag)
  }
  return { tags: next, problem: '' }
}

/** Whether a tag ends with what was just typed. */
export function endsTag(typed: string): boolean {
  return separators.test(typed)
}

const separators = /[,，、;；\n]/
