import { expect, test } from 'vitest'
import {
  defaultTypography,
  maxSize,
  minSize,
  parseTypography,
  stepSize,
} from '#web/features/documents/reader/reflow/typography.ts'

test('choices are read back', () => {
  const chosen = { font: 'kai', size: 22, lineHeight: 2.1, isPaged: true } as const
  expect(parseTypography(JSON.stringify(chosen))).toEqual(chosen)
})

test.each([[null], ['{'], ['null'], ['7'], ['{"font":"comic","size":"big","lineHeight":9,"isPaged":"yes"}']])(
  '%s in the storage counts as no choice',
  (text) => {
    expect(parseTypography(text)).toEqual(defaultTypography)
  },
)

test('sizes stay within their limits', () => {
  expect(parseTypography('{"size":900}').size).toBe(maxSize)
  expect(stepSize(maxSize, 1)).toBe(maxSize)
  expect(stepSize(minSize, -1)).toBe(minSize)
  expect(stepSize(18, 1)).toBe(20)
})
