import { describe, expect, test } from 'vitest'
import { cpuTimeMs } from '#server/testing/cpu-time.ts'
import { fold, foldWithMap } from './fold.ts'
import { parseQuery } from './query.ts'
import { tokenize } from './tokenize.ts'
import { createVocabulary } from './vocabulary.ts'

describe('a text is folded', () => {
  test.each([
    ['in lower case', 'Hello WORLD', 'hello world'],
    ['in half width', 'ＡＢＣ１２３　ｘ', 'abc123 x'],
    ['in simplified characters', '圖書館與資料庫', '图书馆与资料库'],
    ['without accents', 'Café naïve Ångström', 'cafe naive angstrom'],
    ['without invisible characters', 'in\u00advis\u200bible', 'invisible'],
    ['with letters for compatibility characters', '３５㎡ ﬁne ½', '35m2 fine 1 2'],
    ['without spaces and line breaks inside Chinese', '人工\n智能 与\r\n AI 模型', '人工智能与ai模型'],
    ['with one space for punctuation', '好，  世界！——再见', '好 世界 再见'],
    ['with symbols that belong to names', 'C++、C#、.NET、Node.js 与 3.5 版', 'c++ c# .net node.js与3.5版'],
    ['without symbols that end a sentence', 'The end. Next... # heading + more', 'the end next heading more'],
    ['with rare hanzi whole', '𠮷野家', '𠮷野家'],
    ['with lone surrogates and NUL as breaks', 'a\ud842b\0c', 'a b c'],
  ])('%s', (_, text, expected) => {
    expect(fold(text)).toBe(expected)
  })

  test('every character folds to something that folds to itself', () => {
    const letters = (text: string) => fold(text).replaceAll(' ', '')
    const changing = Array.from({ length: 0x30000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code >= 0xe000)
      .filter((code) => letters(fold(`a${String.fromCodePoint(code)}a`)) !== letters(`a${String.fromCodePoint(code)}a`))
    expect(changing).toEqual([])
  })

  test('a substring of a text folds to a substring of the folded text', () => {
    const text = '“Ｃ＋＋ 與 .NET…a...b”，3.5㎡；x_y e-mail:a@b.com 𠮷 ñ。第\n1.2 節#c+=d'
    const folded = fold(text)
    const points = Array.from(text)
    for (let from = 0; from < points.length; from++)
      for (let to = from + 1; to <= points.length; to++) {
        const part = points.slice(from, to).join('')
        expect(folded, part).toContain(fold(part))
      }
  })

  test('indices of the folded text map back to the original', () => {
    const text = '用 Ｃ＋＋\n編程，面積㎡'
    const folded = foldWithMap(text)
    const original = (part: string) => {
      const at = folded.text.indexOf(part)
      return text.slice(folded.from(at), folded.to(at + part.length - 1))
    }
    expect(folded.text).toBe('用c++编程 面积m2')
    expect(original('c++编')).toBe('Ｃ＋＋\n編')
    expect(original('m2')).toBe('㎡')
  })

  test('a large text with expansions is folded quickly', () => {
    const startedAt = cpuTimeMs()
    expect(fold('㍿'.repeat(300_000))).toHaveLength(1_200_000)
    expect(cpuTimeMs() - startedAt).toBeLessThan(2000)
  })
})

describe('tokens', () => {
  test('are hanzi and bigrams, words and initials', () => {
    const { page, entry, words } = tokenize(fold('人工智能，用 C++'))
    expect([...page]).toEqual(['人工', '工智', '智能', 'c++'])
    expect([...entry]).toEqual(['人', '工', '智', '能', '用', '\ue000c'])
    expect([...words]).toEqual(['c++'])
  })

  test('every fragment of a long word is inside one of its parts', () => {
    const word = Array.from({ length: 100 }, (_, index) => String.fromCharCode(97 + ((index * index) % 26))).join('')
    const { words } = tokenize(word)
    for (let from = 0; from + 16 <= word.length; from++)
      expect([...words].some((part) => part.includes(word.slice(from, from + 16)))).toBe(true)
  })
})

describe('a query', () => {
  test('has a phrase and words', () => {
    const query = parseQuery('  人工智能 C++ 人工智能 ')
    expect(query?.phrase.text).toBe('人工智能c++人工智能')
    expect(query?.words.map(({ text }) => text)).toEqual(['人工智能', 'c++'])
  })

  test.each(['', ' \n', '%', '_', '"\'()[]*-', '\0', '\ud800', '。。'])(
    'without letters, digits or hanzi is none: %j',
    (typed) => {
      expect(parseQuery(typed)).toBeUndefined()
    },
  )
})

test('a vocabulary finds whole words, prefixes, suffixes and infixes', () => {
  const vocabulary = createVocabulary()
  vocabulary.add(['start', 'art', 'artist', 'smart', 'part'], 5)
  const words = (text: string, openLeft: boolean, openRight: boolean) =>
    vocabulary.wordsWith({ text, openLeft, openRight }, 10).words
  expect(words('art', true, true)).toEqual(['art', 'artist', 'start', 'smart', 'part'])
  expect(words('art', false, true)).toEqual(['art', 'artist'])
  expect(words('art', true, false)).toEqual(['start', 'art', 'smart', 'part'])
  expect(words('art', false, false)).toEqual(['art'])
  expect(vocabulary.wordsWith({ text: 'ar', openLeft: true, openRight: true }, 2)).toEqual({
    words: ['art', 'artist'],
    isTruncated: true,
  })
})
