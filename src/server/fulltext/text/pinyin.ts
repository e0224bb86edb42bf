import { fold } from './fold.ts'

const maxTitleLength = 60

/** The pinyin of a title: initials, a space, full syllables ("jsj jisuanji" for 计算机); empty without hanzi. */
export async function toPinyin(title: string): Promise<string> {
  if (!/\p{Script=Han}/u.test(title)) return ''
  const letters = (await toSyllables(fold(title.slice(0, maxTitleLength)))).filter(Boolean)
  return `${letters.map((syllable) => syllable[0]).join('')} ${letters.join('')}`
}

/** The syllable of each character of a folded text; a Latin letter or digit stands for itself, a space for nothing. */
async function toSyllables(folded: string): Promise<string[]> {
  // A large dictionary, loaded only by processes that index titles or compare them by sound.
  const { pinyin } = await import('pinyin-pro')
  const syllables = pinyin(folded, { toneType: 'none', type: 'array', v: true })
  return syllables.map((syllable) => syllable.replace(/[^a-z0-9]/g, ''))
}

/** The letters of what may be pinyin: nothing but letters, spaces and apostrophes. */
export function parsePinyin(words: string): string | undefined {
  const letters = words.toLowerCase().replace(/[\s'’]/g, '')
  return /^[a-z]{2,32}$/.test(letters) ? letters : undefined
}

/** The part of a folded text that sounds like these letters, in full or by its initials. */
export async function findSound(folded: string, letters: string): Promise<string | undefined> {
  const characters = Array.from(folded)
  const syllables = await toSyllables(folded)
  // A character that the dictionary does not treat as one makes the two lists differ.
  if (syllables.length !== characters.length) return undefined
  for (const spell of [(syllable: string) => syllable, (syllable: string) => syllable.slice(0, 1)])
    for (let from = 0; from < characters.length; from++) {
      let spelled = ''
      for (let to = from; to < characters.length && letters.startsWith(spelled); to++) {
        spelled += spell(syllables[to] ?? '')
        if (spelled === letters) return characters.slice(from, to + 1).join('')
      }
    }
  return undefined
}

/** The syllables of hanzi without a space, to compare texts by sound; undefined for a text with other characters. */
export async function soundOf(hanzi: string): Promise<string | undefined> {
  return /^\p{Script=Han}+$/u.test(hanzi) ? (await toSyllables(hanzi)).join('') : undefined
}
