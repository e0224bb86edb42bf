import { fold } from './fold.ts'

const maxTitleLength = 60

/** The pinyin of a title: initials, a space, full syllables ("jsj jisuanji" for 计算机); empty without hanzi. */
export async function toPinyin(title: string): Promise<string> {
  if (!/\p{Script=Han}/u.test(title)) return ''
  // A large dictionary, loaded only by processes that index titles.
  const { pinyin } = await import('pinyin-pro')
  const syllables = pinyin(fold(title.slice(0, maxTitleLength)), { toneType: 'none', type: 'array', v: true })
  const letters = syllables.map((syllable) => syllable.replace(/[^a-z0-9]/g, '')).filter(Boolean)
  return `${letters.map((syllable) => syllable[0]).join('')} ${letters.join('')}`
}

/** The letters of what may be pinyin: nothing but letters, spaces and apostrophes. */
export function parsePinyin(words: string): string | undefined {
  const letters = words.toLowerCase().replace(/[\s'’]/g, '')
  return /^[a-z]{2,32}$/.test(letters) ? letters : undefined
}
