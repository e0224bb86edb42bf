import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** Imports point one way. Each rule says what to do instead of breaking it. */

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const root = resolve(import.meta.dirname, '..')
const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
const testing = sources.filter((file) => file.startsWith('src/server/testing/'))
const product = sources.filter((file) => !/\.(test|suite)\.tsx?$/.test(file) && !file.startsWith('src/server/testing/'))
const imports = product.flatMap(importsOf)

test('the checks below look at the whole product', () => {
  expect(product.length).toBeGreaterThan(150)
  expect(imports.filter(({ to }) => to.startsWith('src/')).length).toBeGreaterThan(300)
  for (const area of ['src/shared/', 'src/server/', 'src/web/', 'src/web/admin/']) {
    expect(product.filter((file) => file.startsWith(area)).length, area).toBeGreaterThan(10)
  }
})

test('the contract is the only bridge: shared knows neither side, web never imports server, server never imports web', () => {
  expect(crossing('src/shared/', ['src/server/', 'src/web/'])).toEqual([])
  expect(crossing('src/web/', ['src/server/'])).toEqual([])
  expect(crossing('src/server/', ['src/web/'])).toEqual([])
})

test('the tools of the server know nothing of modules or HTTP: pass in what they need', () => {
  for (const tool of [
    'concurrency',
    'db',
    'jobs',
    'storage',
    'fulltext',
    'convert',
    'gateways',
    'samples',
    'secrets',
  ]) {
    expect(crossing(`src/server/${tool}/`, ['src/server/modules/', 'src/server/http/']), tool).toEqual([])
  }
  expect(crossing('src/server/http/', ['src/server/modules/'])).toEqual([])
})

test('modules import only modules to their left: the other way round is an event, an observer or a job', () => {
  const order = [
    'audit',
    'mail',
    'settings',
    'system',
    'auth',
    'access',
    'sms',
    'stats',
    'users',
    'oauth',
    'attachments',
    'outlays',
    'credits',
    'catalog',
    'site',
    'renditions',
    'documents',
    'vip',
    'downloads',
    'codes',
    'orders',
    'articles',
    'spider',
    'search',
    'comments',
    'favorites',
    'reading',
    'collections',
    'follows',
    'topics',
    'reports',
    'feeds',
    'notifications',
    'privacy',
    'backups',
    'checklist',
  ]
  const placeOf = (file: string) => order.indexOf(/^src\/server\/modules\/([^/]+)\//.exec(file)?.[1] ?? '')
  const folders = readdirSync(join(root, 'src/server/modules'))
  expect(folders.toSorted()).toEqual(order.toSorted())
  expect(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').replace(/\s+/g, ' ')).toContain(order.join(' '))
  const backward = imports.filter(({ from, to }) => placeOf(from) >= 0 && placeOf(to) > placeOf(from))
  expect(backward).toEqual([])
})

test('a folder is one subject: at most 20 files beside tests', () => {
  const crowded = Map.groupBy(
    [...product, ...testing].filter((file) => !/^src\/(server\/db\/migrations|shared)\//.test(file)),
    (file) => dirname(file),
  )
  expect(
    [...crowded].filter(([, files]) => files.length > 20).map(([folder, { length }]) => `${folder} ${length}`),
  ).toEqual([])
})

test('web goes routes → features → ui and domain → lib; the admin imports domain and lib alone', () => {
  const above = ['features', 'admin', 'routes'].map((layer) => `src/web/${layer}/`)
  expect(crossing('src/web/lib/', ['src/web/domain/', 'src/web/ui/', ...above])).toEqual([])
  expect(crossing('src/web/domain/', ['src/web/ui/', ...above])).toEqual([])
  expect(crossing('src/web/ui/', ['src/web/domain/', 'src/shared/contract/', ...above])).toEqual([])
  expect(crossing('src/web/features/', ['src/web/admin/', 'src/web/routes/'])).toEqual([])
  expect(crossing('src/web/admin/', ['src/web/features/', 'src/web/routes/', 'src/web/ui/'])).toEqual([])
})

test('features import only features to their left: what two of them share belongs to the left one', () => {
  const order = [
    'ads',
    'lists',
    'users',
    'social',
    'orders',
    'documents',
    'collections',
    'articles',
    'topics',
    'search',
    'editor',
    'site',
  ]
  const positionOf = (file: string) => order.indexOf(/^src\/web\/features\/([^/]+)\//.exec(file)?.[1] ?? '')
  expect(readdirSync(join(root, 'src/web/features')).toSorted()).toEqual(order.toSorted())
  const backward = imports.filter(({ from, to }) => positionOf(from) >= 0 && positionOf(to) > positionOf(from))
  expect(backward).toEqual([])
})

test('visitors never load the admin: its library is imported under admin alone', () => {
  const libraries = /^(antd|@ant-design\/|@rc-component\/|dayjs)/
  const strays = imports.filter(({ from, to }) => libraries.test(to) && !/^src\/web\/(routes\/)?admin\//.test(from))
  expect(strays).toEqual([])
})

test('no cycle of values: move the shared part to a file of its own', () => {
  const graph = new Map<string, string[]>()
  for (const { from, to, typeOnly } of imports) if (!typeOnly) graph.set(from, [...(graph.get(from) ?? []), to])
  expect(firstCycle(graph)).toBeUndefined()
})

test('names say what a thing is: no barrels, no drawers', () => {
  const barrels = product.filter((file) => /\/index\.tsx?$/.test(file) && !file.startsWith('src/web/routes/'))
  const drawers = product.filter((file) => /\/(utils?|helpers?|common|misc|managers?|base)(\/|\.)/.test(file))
  expect([...barrels, ...drawers]).toEqual([])
})

function crossing(from: string, forbidden: string[]): Import[] {
  return imports.filter((found) => found.from.startsWith(from) && forbidden.some((area) => found.to.startsWith(area)))
}

function importsOf(file: string): Import[] {
  const code = readFileSync(join(root, file), 'utf8')
  const statements = code.matchAll(
    /^(?:import|export)\s+(type\s)?([^'";]*?)\s*from\s*'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].map(([, typeWord, names = '', named, bare, dynamic]) => ({
    from: file,
    to: target(file, named ?? bare ?? dynamic ?? ''),
    typeOnly: Boolean(typeWord) || onlyTypes(names) || dynamic !== undefined,
  }))
}

function onlyTypes(names: string): boolean {
  const listed = /^\{([^}]*)\}$/.exec(names.trim())?.[1]
  if (listed === undefined) return false
  return listed
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .every((name) => name.startsWith('type '))
}

function target(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
}

function firstCycle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file])
      if (cycle) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return undefined
}
