import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseNodes } from '../scripts/test/syntax-tree.ts'

/** Private words for things that have a common name. The message of a failure says which to use. */
const retired: Record<string, RegExp> = {
  'queue, slots': /^lanes?$|lanes?Of|Lanes?$|^hands$/,
  'PermanentJobError, release, fail': /hopeless|handBack|giveUp/i,
  assertCanX: /^refuse[A-Z]/,
  lock: /^hold(Documents|Rows|Targets|Tree|Balances|Articles)$/,
  'repair, reconcile': /^mend|Mend/,
  blocked: /heldUp/i,
  mail: /^(post|queue|write|forget)Letters?$|LetterName/,
  'delete related, purge, clear': /[tT]races|^forget[A-Z]/,
  'daily counters, visitor counter': /Tall(y|ies)|^tallies$|gatherCrowd/,
  'isolation, sandbox': /^walls?$|Walls?$|^enclose/,
  workDir: /workshop/i,
  prewarmed: /officeAhead/i,
  'p-limit, concurrency': /^turns$|^inTurns?$/,
  throttle: /atMostEvery/,
  'page cache': /^kept(Pages?|For)$/,
  'index, indexer': /^filing$|^enqueueFiling$|^fileEntries$/,
  'visibility filter': /^accepting$|^acceptFor$/,
  'page range, batch': /^Stretch$|[a-z]Stretch$/,
  'the thing itself (ListParams, DownloadRequest …)':
    /^(Asked|Given|Shown|Kept|Wanted|Told|Found|Made|Written|Placed|Narrowing|Answered|Judged|Way)$/,
  actions: /^deeds?$|Deeds?$/,
  'anonymous visitor': /stranger/i,
  'flash message': /partingWords/i,
}

const root = resolve(import.meta.dirname, '..')
const files = globSync(['src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'bench/**/*.ts'], { cwd: root }).filter(
  (file) => !file.includes('/migrations/'),
)

function findRetired(word: string): string[] {
  return Object.entries(retired).flatMap(([better, pattern]) => (pattern.test(word) ? [`${word}: ${better}`] : []))
}

function identifiersIn(file: string): Set<string> {
  const source = readFileSync(join(root, file), 'utf8')
  const words = new Set(source.match(/[\w$]+/g))
  // Most files have none, in comments and texts neither, and need no parsing.
  if (![...words].some((word) => findRetired(word).length > 0)) return new Set()
  const nodes = parseNodes(source, file.endsWith('x') ? 'tsx' : 'ts')
  return new Set(nodes.flatMap(({ type, name }) => (type === 'Identifier' && typeof name === 'string' ? [name] : [])))
}

test('the words are found where they are', () => {
  for (const word of ['lanes', 'refuseUploader', 'mendCounter', 'Asked', 'useDeeds', 'readStretch'])
    expect(findRetired(word), word).toHaveLength(1)
  for (const word of ['expected', 'planes', 'isKept', 'beforehand', 'amendment']) expect(findRetired(word)).toEqual([])
})

test('no retired word is in a file name or an identifier', () => {
  const found = files.flatMap((file) =>
    [
      ...identifiersIn(file),
      ...basename(file)
        .replace(/\.tsx?$/, '')
        .split(/[.-]/),
    ]
      .flatMap(findRetired)
      .map((finding) => `${file} ${finding}`),
  )
  expect(found).toEqual([])
}, 60_000)
