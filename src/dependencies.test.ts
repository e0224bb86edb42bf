import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const record = readFileSync(join(root, 'docs/decisions/0005-dependencies.md'), 'utf8')
const recorded = record
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| *(package|-)/.test(line))
  .flatMap((line) => (line.split('|')[1] ?? '').split(','))
  .map((name) => name.trim())
  .toSorted()

test('every runtime dependency has its line in docs/decisions/0005-dependencies.md, and no other has one', () => {
  expect(recorded).toEqual([...Object.keys(dependencies), ...Object.keys(optionalDependencies)].toSorted())
})
