import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'
import { fold } from '../src/server/fulltext/text/fold.ts'
import { segment, stopWords } from '../src/server/fulltext/text/terms.ts'

/** A document of the site, with the text of its pages. */
export interface Known {
  id: number
  title: string
  pages: readonly string[]
}

export interface Question {
  form: string
  typed: string
  /** Documents one of which must be among the first five. */
  expected: ReadonlySet<number>
}

const maxLength = 8
const minTyped = 4
/** Passages of one document. */
const passages = 3

const frames = [
  (words: string) => `怎么写${words}`,
  (words: string) => `什么是${words}？`,
  (words: string) => `有没有${words}的资料`,
  (words: string) => `请问${words}在哪里找`,
  (words: string) => `我想找一份${words}`,
  (words: string) => `如何理解${words}`,
]
const englishFrames = [
  (words: string) => `what is ${words}`,
  (words: string) => `how to use ${words}`,
  (words: string) => `关于 ${words} 的介绍`,
]

const toTraditional = Converter({ from: 'cn', to: 't' })
const toTaiwan = Converter({ from: 'cn', to: 'twp' })

/** What people may type who look for these documents: made from their titles and texts, the same at every run. */
export function listQuestions(documents: readonly Known[]): Question[] {
  const homophoneOf = findHomophones(documents)
  const titled = documents.flatMap(({ title }, index) => {
    const same = documents.filter((other) => other.title === title)
    const expected = new Set(same.map(({ id }) => id))
    // A title that several documents have is asked for once.
    if (same[0]?.id !== documents[index]?.id) return []
    const forms = [...hanziForms(title, index, homophoneOf), ...latinForms(title, index)]
    return forms.map(([form, typed]) => ({ form, typed, expected }))
  })
  const folded = documents.map(({ id, pages }) => ({ id, text: pages.map(fold).join(' ') }))
  const withText = (words: readonly string[]) =>
    new Set(folded.filter(({ text }) => words.every((word) => text.includes(fold(word)))).map(({ id }) => id))
  const quoted = documents.flatMap((document, index) =>
    bodyForms(document, index).map(([form, typed, words]) => ({ form, typed, expected: withText(words) })),
  )
  const seen = new Set<string>()
  return [...titled, ...quoted].filter(({ typed }) => !seen.has(typed) && seen.add(typed))
}

type Form = [form: string, typed: string]

function hanziForms(title: string, index: number, homophoneOf: (character: string) => string | undefined): Form[] {
  const words = contentWords(title).slice(0, 3)
  const core = hanziBeginning(title)
  if (core.length < minTyped) return []
  const at = 1 + (index % (core.length - 2))
  const other = homophoneOf(core.charAt(at))
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const traditional = toTraditional(core)
  const taiwan = toTaiwan(core)
  return [
    ['words', words.join(' ')],
    ...(other ? [['homophone', core.slice(0, at) + other + core.slice(at + 1)] as Form] : []),
    ...(core.length > minTyped ? [['missing character', core.slice(0, at) + core.slice(at + 1)] as Form] : []),
    ...(core.length > minTyped ? [['swapped', swap(core, at)] as Form] : []),
    ['pinyin', spell(core).join(index % 2 === 0 ? '' : ' ')],
    [
      'initials',
      spell(core)
        .map((syllable) => syllable.charAt(0))
        .join(''),
    ],
    ['sentence', frames[index % frames.length]?.(core) ?? core],
    ...(words.length > 1 ? [['mixed', `${first} ${spell(last).join('')}`] as Form] : []),
    ...(traditional === core ? [] : [['traditional', traditional] as Form]),
    ...(fold(taiwan) === fold(core) ? [] : [['regional', taiwan] as Form]),
  ]
}

function latinForms(title: string, index: number): Form[] {
  const words = (title.match(/[a-z]{3,}/giu) ?? []).filter((word) => !stopWords.has(word.toLowerCase()))
  const long = words.find((word) => word.length > 5)
  const [first = ''] = words
  if (first === '') return []
  return [
    ['sentence', englishFrames[index % englishFrames.length]?.(words.slice(0, 2).join(' ')) ?? first],
    ...(long ? [['misspelt', swap(long, 2 + (index % (long.length - 4)))] as Form] : []),
    ...(words.length > 1 ? [['words', `${words.at(-1) ?? ''} ${first}`.toLowerCase()] as Form] : []),
  ]
}

type BodyForm = [form: string, typed: string, words: string[]]

/** Passages of several pages: as they stand, with other words around them, as three words out of order. */
function bodyForms({ pages }: Known, index: number): BodyForm[] {
  return Array.from({ length: passages }, (_, part): BodyForm[] => {
    const page = pages[Math.floor(((part + 0.5) / passages) * pages.length)] ?? ''
    const lines = page.match(/[\p{Script=Han}]{8,}/gu) ?? []
    const line = lines[Math.floor(lines.length / 2)]
    if (line === undefined) return []
    const passage = line.slice(0, 7 + (index % 5))
    const words = [...new Set(contentWords(line))].slice(0, 3)
    return [
      ['passage', passage, [passage]],
      ...(words.length > 2
        ? [
            ['text words', words.toReversed().join(' '), words] as BodyForm,
            ['text question', `请问${words.join('')}是怎么回事`, words] as BodyForm,
          ]
        : []),
    ]
  })
    .flat()
    .filter(([, typed]) => typed !== '')
}

function contentWords(text: string): string[] {
  return segment(text).filter((word) => /^\p{Script=Han}{2,}$/u.test(word) && !stopWords.has(word))
}

/** The first words of hanzi in a row, of at most eight characters. */
function hanziBeginning(title: string): string {
  const [run = ''] = (title.match(/\p{Script=Han}+/gu) ?? []).toSorted((a, b) => b.length - a.length)
  let beginning = ''
  for (const word of segment(run)) {
    if (beginning.length + word.length > maxLength) break
    beginning += word
  }
  return beginning
}

function swap(text: string, at: number): string {
  return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
}

function spell(hanzi: string): string[] {
  return pinyin(hanzi, { toneType: 'none', type: 'array', v: true })
}

/** The most frequent other character of all texts that sounds the same. */
function findHomophones(documents: readonly Known[]): (character: string) => string | undefined {
  const counts = new Map<string, number>()
  for (const { title, pages } of documents)
    for (const character of [title, ...pages].join('').match(/\p{Script=Han}/gu) ?? [])
      counts.set(character, (counts.get(character) ?? 0) + 1)
  const bySound = Map.groupBy(
    [...counts].toSorted(([, a], [, b]) => b - a).map(([character]) => character),
    (character) => spell(character).join(''),
  )
  return (character) => bySound.get(spell(character).join(''))?.find((other) => other !== character)
}
