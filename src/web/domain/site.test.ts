import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { creditNameOf } from '#web/domain/site.ts'

test('credits have the name that the owner has given them, or that of a new site', () => {
  const settings = (credit_name: string) => ({ settings: { system: { credit_name } } }) as never
  expect(creditNameOf(settings('贝壳'))).toBe('贝壳')
  expect(creditNameOf(settings(''))).toBe('豆子')
  expect(creditNameOf(undefined)).toBe('豆子')
})

test('no page writes a name of its own for them', () => {
  const files = globSync('src/web/**/*.{ts,tsx}', { exclude: ['**/*.test.*', 'src/web/domain/site.ts'] })
  const naming = files.filter((file) => /积分|豆子/.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(naming).toEqual([])
})
