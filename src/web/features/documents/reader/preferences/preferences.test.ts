import { expect, test } from 'vitest'
import { parsePreferences } from '#web/features/documents/reader/preferences/preferences.ts'

test('choices are read back', () => {
  const chosen = { ground: 'sepia', crop: false, spread: 'cover', wide: true } as const
  expect(parsePreferences(JSON.stringify(chosen))).toEqual(chosen)
})

test.each([[null], ['{'], ['null'], ['3'], ['{"ground":"pink","crop":"yes","spread":7,"wide":"no"}']])(
  '%s in the storage counts as no choice',
  (text) => {
    expect(parsePreferences(text)).toEqual({ ground: undefined, crop: undefined, spread: 'single', wide: false })
  },
)
