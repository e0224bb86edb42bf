import { fold } from './fold.ts'

/** How a title is spelled: the first letters of its syllables, then all of them; empty when it has no hanzi. */
export async function spellingOf(title: string): Promise<string> {
  if (!/\p{Script=Han}/u.test(title)) return ''
  // Large, and needed only where titles are written down.
  const { pinyin } = await import('pinyin-pro')
  const syllables = pinyin(fold(title.slice(0, longestTitle)), { toneType: 'none', type: 'array', v: true })
  const letters = syllables.map((syllable) => syllable.replace(/[^a-z0-9]/g, '')).filter(Boolean)
  return `${letters.map((syllable) => syllable[0]).join('')} ${letters.join('')}`
}

/** What somebody types may be a spelling: letters without anything between them, but perhaps an apostrophe or spaces. */
export function lettersIn(words: string): string | undefined {
  const letters = words.toLowerCase().replace(/[\s'’]/g, '')
  return /^[a-z]{2,32}$/.test(letters) ? letters : undefined
}

const longestTitle = 60
