import table from 'opencc-js/dict/TWPhrasesRev'
import { fold } from './fold.ts'
import { toSimplified } from './simplified.ts'

/**
 * Words that Taiwan and the mainland write differently, folded: 资料库 and 数据库, 软体 and 软件. Texts are not rewritten, as
 * 资料 must still be found inside 资料库: a query is also searched for in the other region's words.
 */
const toMainland = new Map<string, string>()
const toTaiwan = new Map<string, string>()
for (const pair of table.split('|')) {
  const [taiwan = '', mainland = ''] = pair.split(' ').map(fold)
  if (taiwan === mainland || taiwan.length < 2 || mainland.length < 2) continue
  if (!toMainland.has(taiwan)) toMainland.set(taiwan, mainland)
  if (!toTaiwan.has(mainland)) toTaiwan.set(mainland, taiwan)
}
const maxLength = Math.max(...[...toMainland.keys(), ...toTaiwan.keys()].map((word) => word.length))

const firstCharacters = new Set([...toMainland.keys(), ...toTaiwan.keys()].map((word) => word.charAt(0)))

/** The query in the words of the mainland and in those of Taiwan, as far as these are others than the typed ones. */
export function regionalVariants(typed: string): string[] {
  const words = typed.split(/\s+/u).map(fold).filter(Boolean)
  const variants = [toMainland, toTaiwan].map((dictionary) => words.map((word) => replaceWords(word, dictionary)))
  const own = words.join(' ')
  return [...new Set(variants.map((variant) => variant.join(' ')))].filter((variant) => variant !== own)
}

/** Whether the text contains characters that are only written in traditional Chinese. */
export function isTraditional(typed: string): boolean {
  return Array.from(typed).some((character) => toSimplified(character) !== character)
}

/** The longest word of the dictionary at each place. */
function replaceWords(folded: string, dictionary: ReadonlyMap<string, string>): string {
  let replaced = ''
  for (let at = 0; at < folded.length;) {
    const word = longestAt(folded, at, dictionary)
    replaced += (word && dictionary.get(word)) ?? folded.charAt(at)
    at += word?.length ?? 1
  }
  return replaced
}

function longestAt(folded: string, at: number, dictionary: ReadonlyMap<string, string>): string | undefined {
  if (!firstCharacters.has(folded.charAt(at))) return undefined
  for (let length = Math.min(maxLength, folded.length - at); length > 1; length--) {
    const word = folded.slice(at, at + length)
    if (dictionary.has(word)) return word
  }
  return undefined
}
