const most = 4

/** What to look for where the whole was not found: its words, or the halves of the only one. */
export function shorterWords(words: string): string[] {
  const parts = words.split(/[\s,，。、;；:：!！?？]+/u).filter((part) => part !== '')
  return [...new Set(parts.length > 1 ? parts : halves(parts[0] ?? ''))].slice(0, most)
}

/** A word of hanzi is often two; one of letters has no half that means something. */
function halves(word: string): string[] {
  const signs = Array.from(word)
  if (signs.length < 4 || !/^\p{Script=Han}+$/u.test(word)) return []
  const middle = Math.ceil(signs.length / 2)
  return [signs.slice(0, middle).join(''), signs.slice(middle).join('')]
}
