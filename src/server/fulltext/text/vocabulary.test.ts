import { expect, test } from 'vitest'
import { createVocabulary, memoizeVocabulary } from './vocabulary.ts'

const open = (text: string) => ({ text, openLeft: true, openRight: true })

test('whole words come first, then prefixes, then other words with the fragment', () => {
  const vocabulary = createVocabulary()
  vocabulary.add(['restart', 'artist'], 2)
  vocabulary.add(['smart', 'art', 'party', 'arts'], 6)
  expect(vocabulary.wordsWith(open('art'), 10)).toEqual({
    words: ['art', 'artist', 'arts', 'restart', 'smart', 'party'],
    isTruncated: false,
  })
  expect(vocabulary.wordsWith(open('art'), 3)).toEqual({ words: ['art', 'artist', 'arts'], isTruncated: true })
  expect(vocabulary.wordsWith({ text: 'art', openLeft: false, openRight: true }, 10).words).toEqual([
    'artist',
    'art',
    'arts',
  ])
  expect(vocabulary.last()).toBe(6)
})

test('a memoized vocabulary looks a fragment up once', () => {
  const vocabulary = createVocabulary()
  vocabulary.add(['art', 'artist', 'arts'], 3)
  let lookups = 0
  const memoized = memoizeVocabulary({
    ...vocabulary,
    wordsWith: (fragment, limit) => {
      lookups++
      return vocabulary.wordsWith(fragment, limit)
    },
  })
  expect(memoized.wordsWith(open('art'), 10).words).toHaveLength(3)
  expect(memoized.wordsWith(open('art'), 2)).toEqual({ words: ['art', 'artist'], isTruncated: true })
  expect(memoized.wordsWith({ text: 'art', openLeft: false, openRight: false }, 10).words).toEqual(['art'])
  expect(lookups).toBe(2)
})
