import { expect, test } from 'vitest'
import { openVocabulary, remembering } from './vocabulary.ts'

const open = (text: string) => ({ text, openLeft: true, openRight: true })

test('words come whole, then by their beginning, then by any part, whenever they were added', () => {
  const vocabulary = openVocabulary()
  vocabulary.add(['restart', 'artist'], 2)
  vocabulary.add(['smart', 'art', 'party', 'arts'], 6)
  expect(vocabulary.wordsWith(open('art'), 10)).toEqual({
    words: ['art', 'artist', 'arts', 'restart', 'smart', 'party'],
    cut: false,
  })
  expect(vocabulary.wordsWith(open('art'), 3)).toEqual({ words: ['art', 'artist', 'arts'], cut: true })
  expect(vocabulary.wordsWith({ text: 'art', openLeft: false, openRight: true }, 10).words).toEqual([
    'artist',
    'art',
    'arts',
  ])
  expect(vocabulary.last()).toBe(6)
})

test('for one question a fragment is looked up once', () => {
  const vocabulary = openVocabulary()
  vocabulary.add(['art', 'artist', 'arts'], 3)
  let lookedUp = 0
  const once = remembering({
    ...vocabulary,
    wordsWith: (fragment, most) => {
      lookedUp++
      return vocabulary.wordsWith(fragment, most)
    },
  })
  expect(once.wordsWith(open('art'), 10).words).toHaveLength(3)
  expect(once.wordsWith(open('art'), 2)).toEqual({ words: ['art', 'artist'], cut: true })
  expect(once.wordsWith({ text: 'art', openLeft: false, openRight: false }, 10).words).toEqual(['art'])
  expect(lookedUp).toBe(2)
})
