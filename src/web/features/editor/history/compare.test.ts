import { expect, test } from 'vitest'
import { compareParagraphs } from '#web/features/editor/history/compare.ts'

function marks(before: string[], after: string[]): string {
  const signs = { same: ' ', added: '+', removed: '-' }
  return compareParagraphs(before, after)
    .map(({ kind, text }) => `${signs[kind]}${text}`)
    .join('|')
}

test('paragraphs that stay are shown once, others where they were', () => {
  expect(marks(['一', '二', '三'], ['一', '改', '三', '四'])).toBe(' 一|-二|+改| 三|+四')
  expect(marks(['一', '二'], ['一', '二'])).toBe(' 一| 二')
  expect(marks([], ['一'])).toBe('+一')
  expect(marks(['一', '二'], ['二', '一'])).toBe('-一| 二|+一')
})

test('very long texts are shown one after the other', () => {
  const long = (word: string) => Array.from({ length: 2100 }, (_, at) => `${word}${at}`)
  const changes = compareParagraphs(long('旧'), long('新'))
  expect(changes).toHaveLength(4200)
  expect(changes[0]).toEqual({ kind: 'removed', text: '旧0' })
})
