import type { SearchQuery } from '../fulltext.ts'
import { findNear, isWithin } from '../text/near.ts'
import { findSound, soundOf } from '../text/pinyin.ts'
import { parseQuery } from '../text/query.ts'
import { type QueryTerms, segment } from '../text/terms.ts'
import { type Run, splitRuns, toBigrams } from '../text/tokenize.ts'
import { maxWords, type Vocabulary } from '../text/vocabulary.ts'
import { answerWithAllWords } from './all-words.ts'
import type { Source } from './candidates.ts'
import type { Engine } from './engine.ts'
import { planMatch } from './plan.ts'
import type { Match } from './store.ts'

const maxPieces = 4
/** Words without an entry that are looked at. */
const maxUnknown = 3
/** Titles that are compared with a word. */
const maxTitles = 300
/** Their sounds are computed, which takes longer. */
const maxSpelledTitles = 40
/** Longer texts are looked up by their halves, one of which is without the error. */
const maxLeftOut = 10
const minWordLength = 4
/** From this length on, a Latin word may have two errors. */
const minLengthOfTwo = 8

/** The query with its typing errors corrected, by titles that the caller may see and by the words of texts. */
export async function correctWords(
  engine: Engine,
  source: Source,
  query: SearchQuery,
  { pieces }: QueryTerms,
): Promise<string | undefined> {
  if (pieces.length === 0 || pieces.length > maxPieces) return undefined
  const corrected: string[] = []
  for (const piece of pieces) {
    const isWrong = pieces.length === 1 || !(await isKnown(source, piece))
    corrected.push((isWrong ? await correctPiece(engine, source, query, piece) : undefined) ?? piece)
  }
  return corrected.some((piece, index) => piece !== pieces[index]) ? corrected.join(' ') : undefined
}

async function correctPiece(
  engine: Engine,
  source: Source,
  query: SearchQuery,
  piece: string,
): Promise<string | undefined> {
  let corrected = ''
  for (const run of splitRuns(piece)) {
    corrected += (await correctRun(engine, source, query, run)) ?? run.text
  }
  return corrected === piece ? undefined : corrected
}

async function correctRun(
  engine: Engine,
  source: Source,
  query: SearchQuery,
  { text, isWord }: Run,
): Promise<string | undefined> {
  if (isWord) {
    if (await isKnown(source, text)) return undefined
    const word = nearestWord(source.vocabulary, text)
    // A word may be known from texts that the caller must not see.
    const answer = word && (await answerWithAllWords(engine, source, { ...query, words: word, offset: 0, limit: 1 }))
    return answer && answer.matches.length > 0 ? word : undefined
  }
  const whole = await similarInTitles(engine, query, text)
  if (whole !== undefined) return whole
  const words = joinSingles(segment(text))
  let tried = 0
  for (const [index, word] of words.entries()) {
    if (tried >= maxUnknown || (await isKnown(source, word))) continue
    tried++
    const [before = '', after = ''] = [words[index - 1], words[index + 1]]
    const contexts = [...new Set([before + word + after, before + word, word + after, word])].filter(
      (context) => context !== text,
    )
    const [context, similar] = (await firstSimilar(engine, query, word, contexts)) ?? []
    if (context !== undefined && similar !== undefined) return text.replace(context, similar)
  }
  return undefined
}

/** The first of several texts, all with the same word in them, that has something similar in titles. */
async function firstSimilar(
  engine: Engine,
  query: SearchQuery,
  word: string,
  contexts: readonly string[],
): Promise<[context: string, similar: string] | undefined> {
  for (const context of contexts) {
    const similar = await alikeByCharacters(engine, query, context)
    if (similar !== undefined) return [context, similar]
  }
  // One look at all titles: what sounds like a longer text also sounds like the word in it.
  const spelled = await spelledAlike(engine, query, word)
  for (const context of spelled.length > 0 ? contexts : []) {
    const similar = await alikeBySound(engine, query, context, spelled)
    if (similar !== undefined) return [context, similar]
  }
  return undefined
}

/** As a typing error leaves characters that are no word. */
function joinSingles(words: readonly string[]): string[] {
  const joined: string[] = []
  let isOpen = false
  for (const word of words) {
    const isSingle = word.length === 1
    if (isSingle && isOpen) joined.push(`${joined.pop() ?? ''}${word}`)
    else joined.push(word)
    isOpen = isSingle
  }
  return joined
}

async function isKnown({ store, vocabulary, kind }: Source, text: string): Promise<boolean> {
  const needle = parseQuery(text)?.phrase
  const match = needle && planMatch(needle, vocabulary)
  return match !== undefined && (await store.count(match, { kind, scope: 'entry', limit: 1 })) > 0
}

/** Characters of a title of which one is another, or that sound alike. */
async function similarInTitles(engine: Engine, query: SearchQuery, text: string): Promise<string | undefined> {
  return (
    (await alikeByCharacters(engine, query, text)) ??
    (await alikeBySound(engine, query, text, await spelledAlike(engine, query, text)))
  )
}

interface SpelledTitle {
  id: number
  pinyin: string
}

/** Titles that sound like the text somewhere. Every title is read for this: the index knows no sounds. */
async function spelledAlike({ store }: Engine, { kind }: SearchQuery, text: string): Promise<SpelledTitle[]> {
  const sound = text.length > 1 ? await soundOf(text) : undefined
  return sound === undefined ? [] : store.findByPinyin(sound, { kind, belowId: undefined, limit: maxTitles })
}

async function alikeBySound(
  engine: Engine,
  query: SearchQuery,
  text: string,
  spelled: readonly SpelledTitle[],
): Promise<string | undefined> {
  const sound = spelled.length > 0 ? await soundOf(text) : undefined
  if (sound === undefined) return undefined
  const likely = spelled.filter(({ pinyin }) => pinyin.includes(sound))
  const titles = await visibleTitles(
    engine,
    query,
    likely.map(({ id }) => id),
  )
  const alike = await Promise.all(
    titles.slice(0, maxSpelledTitles).map(async (title) => {
      const part = await findSound(title, sound)
      // Two syllables are often the end of one word and the beginning of the next: 发饰 does not mean 方法是.
      return part !== undefined && (text.length > 2 || cutsNoWord(title, part)) ? part : undefined
    }),
  )
  return mostFrequent(alike.filter((part) => part !== undefined && part !== text && part.length === text.length))
}

/** Whether a part of a text begins and ends where words do. */
function cutsNoWord(text: string, part: string): boolean {
  const from = text.indexOf(part)
  const ends = new Set([0])
  let end = 0
  for (const word of segment(text)) ends.add((end += word.length))
  return ends.has(from) && ends.has(from + part.length)
}

/** One that sounds the same is the likeliest: input methods offer it. */
async function alikeByCharacters(engine: Engine, query: SearchQuery, text: string): Promise<string | undefined> {
  const characters = Array.from(text)
  if (characters.length < 3) return undefined
  const { kind } = query
  const ids = new Set<number>()
  for (const match of characters.length <= maxLeftOut ? leaveOneOut(characters) : halves(characters)) {
    const range = { kind, scope: 'title', below: undefined, rows: maxTitles } as const
    for (const { id } of (await engine.store.scan(match, range)).candidates) ids.add(id)
  }
  const titles = await visibleTitles(engine, query, [...ids].slice(0, 2 * maxTitles))
  const near = titles.map((title) => findNear(title, text)).filter((part) => part !== undefined)
  const sameLength = near.filter((part) => part.length === text.length)
  return mostFrequent(await withSameSound(sameLength, text)) ?? mostFrequent(sameLength) ?? mostFrequent(near)
}

async function withSameSound(parts: readonly string[], text: string): Promise<string[]> {
  const sound = parts.length > 0 ? await soundOf(text) : undefined
  if (sound === undefined) return []
  const sounds = new Map(
    await Promise.all([...new Set(parts)].map(async (part) => [part, await soundOf(part)] as const)),
  )
  return parts.filter((part) => sounds.get(part) === sound)
}

async function visibleTitles(
  { store, visibleIds }: Engine,
  { kind, visibility }: SearchQuery,
  ids: readonly number[],
): Promise<string[]> {
  const visible = ids.length > 0 ? await visibleIds(visibility, ids) : []
  return visible.length > 0 ? (await store.foldedMetadata(kind, visible)).map(({ title }) => title) : []
}

/** Titles that have all characters but one. */
function leaveOneOut(characters: readonly string[]): Match[] {
  return characters.map((_, left) => ({
    anyOf: [...new Set(characters.filter((_, index) => index !== left))].map((character) => [character]),
    contains: [],
    isEntryLevel: true,
  }))
}

function halves(characters: readonly string[]): Match[] {
  const middle = Math.floor(characters.length / 2)
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')].map((half) => ({
    anyOf: toBigrams(half).map((pair) => [pair]),
    contains: [half],
    isEntryLevel: false,
  }))
}

function mostFrequent(parts: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const part of parts) if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0]
}

/** The word of the vocabulary with the fewest errors between both; of several the oldest, as frequent words come early. */
function nearestWord(vocabulary: Vocabulary, typed: string): string | undefined {
  if (typed.length < minWordLength || !/^[a-z]+$/u.test(typed)) return undefined
  // An error leaves some of these parts of the word as they are.
  const size = Math.max(2, Math.floor(typed.length / 3))
  const parts = Array.from({ length: Math.floor(typed.length / size) }, (_, index) =>
    typed.slice(index * size, (index + 1) * size),
  )
  const maxErrors = typed.length >= minLengthOfTwo ? 2 : 1
  const words = new Set(
    parts.flatMap((text) => vocabulary.wordsWith({ text, openLeft: true, openRight: true }, maxWords).words),
  )
  for (let errors = 1; errors <= maxErrors; errors++)
    for (const word of words) if (isWithin(errors, word, typed)) return word
  return undefined
}
