/** Text without what differs between its settings: blanks, hyphens at line ends, the case and the width of letters. */
export interface Letters<Where> {
  text: string
  /** Of each letter. */
  places: readonly Where[]
}

export interface LetterSource<Where> {
  text: string
  placeAt: (offset: number) => Where
}

export function readLetters<Where>(sources: readonly LetterSource<Where>[]): Letters<Where> {
  const places: Where[] = []
  let letters = ''
  for (const { text, placeAt } of sources) {
    for (let offset = 0; offset < text.length; offset++) {
      const letter = text.charAt(offset)
      if (ignored.test(letter)) continue
      letters += normalize(letter)
      places.push(placeAt(offset))
    }
  }
  return { text: letters, places }
}

export function lettersOf(text: string): string {
  return readLetters([{ text, placeAt: (offset) => offset }]).text
}

/** Where `wanted` begins; the places do not overlap. */
export function occurrences(text: string, wanted: string): number[] {
  const starts: number[] = []
  if (wanted === '') return starts
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) starts.push(at)
  return starts
}

interface Part {
  text: string
  start: number
  length: number
}

/**
 * Where a part of a text begins in another setting of it, which may lack its head and foot. Of several places it is the
 * one with the same text around it.
 */
export function findSamePlace({ text, start, length }: Part, other: string): number | undefined {
  const before = text.slice(Math.max(0, start - contextLength), start)
  const after = text.slice(start + length, start + length + contextLength)
  const places = occurrences(other, text.slice(start, start + length)).map((at) => ({
    at,
    agreement: sharedEnd(before, other.slice(0, at)) + sharedStart(after, other.slice(at + length)),
  }))
  const [best] = places.toSorted((a, b) => b.agreement - a.agreement || Math.abs(a.at - start) - Math.abs(b.at - start))
  return best?.at
}

const contextLength = 40
const ignored = /[\s\u00AD\u2010-]/

/** One for one, so that positions stay: some letters are two in another form. */
function normalize(letter: string): string {
  const plain = letter.normalize('NFKC').toLowerCase()
  return plain.length === 1 ? plain : letter
}

function sharedStart(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

function sharedEnd(a: string, b: string): number {
  let count = 0
  while (count < a.length && a.at(-1 - count) === b.at(-1 - count)) count++
  return count
}
