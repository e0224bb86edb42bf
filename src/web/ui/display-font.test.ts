import { expect, test } from 'vitest'
import { displayFont } from '#web/ui/display-font.ts'

test('a heading is set in one font as a whole', () => {
  expect(displayFont('推荐阅读')).toBe('font-display')
  expect(displayFont('推荐阅读（犇）')).toBe('')
})
