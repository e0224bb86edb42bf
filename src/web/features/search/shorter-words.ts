const maxSuggestions = 4

/** Searches to try when the whole text has no hits: its words, or the halves of a single word. */
export function shorterWords(words: string): string[] {
  const parts = words.split(/[\s,，。、;；:：!！?？]+/u).filter((part) => part !== '')
  return [...new Set(parts.length > 1 ? parts : halves(parts[0] ?? ''))].slice(0, maxSuggestions)
}

/** A long Chinese word often consists of two; the halves of other words mean nothing. */
function halves(word: string): string[] {
  const characters = Array.from(word)
  if (characters.length < 4 || !/^\p{Script=Han}+$/u.test(word)) return []
  const middle = Math.ceil(characters.length / 2)
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')]
}
