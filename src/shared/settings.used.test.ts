import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isNode, type Node, parseNodes } from '../../scripts/test/syntax-tree.ts'
import { catalogue } from './settings.ts'
import type { Field } from './setting-fields.ts'

/**
 * A setting that no code reads does nothing. The syntax tree is searched for `….display.key`,
 * `const { key } = settings.display`, `({ display: { key } })`, aliases of a group, and computed keys.
 */

const root = resolve(import.meta.dirname, '../..')
const groups: Record<string, Record<string, Field>> = Object.fromEntries(
  Object.entries(catalogue).map(([name, { fields }]) => [name, fields]),
)
// Code that handles all settings alike uses none of them.
const generic = /\.test\.tsx?$|shared\/settings\.ts$|shared\/setting-fields\.ts$|settings\.present\.ts$/
const files = globSync('src/{server,shared,web}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !generic.test(path))
const used = new Set(files.flatMap((path) => findReads(readFileSync(resolve(root, path), 'utf8'))))

const all = Object.entries(groups).flatMap(([group, fields]) => Object.keys(fields).map((key) => ({ group, key })))
const nameOf = ({ group, key }: { group: string; key: string }) => `${group}.${key}`

test('the source was searched', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(used.size).toBeGreaterThan(60)
})

test('every setting is read by something', () => {
  expect(all.map(nameOf).filter((name) => !used.has(name))).toEqual([])
})

test.each([
  ['ctx.settings.email.host', ['email.host']],
  ['const { email } = settings; use(email.host)', ['email.host']],
  ['const { host, port: at } = (await settings()).email', ['email.host', 'email.port']],
  ['const mine = settings.email; use(mine.host)', ['email.host']],
  ['function f({ email: { host } }: Settings) { return host }', ['email.host']],
  ["function f({ host }: Pick<Settings['email'], 'host'>) { return host }", ['email.host']],
  ["function f(of: Settings['email']) { return of.host }", ['email.host']],
  ["type Post = Settings['email']; const f = ({ host }: Post) => host", ['email.host']],
  ['use(settings.security[`enable_captcha_${purpose}`])', captchas()],
  ["for (const name of ['host', 'port'] as const) use(settings.email[name])", ['email.host', 'email.port']],
  ['use({ ...settings.email })', []],
  ["const text = 'settings.email.host' // settings.email.port", []],
  ['const settings = { email: { host: 1 } }; settings.email.port = 2', []],
])('%s', (source, expected) => {
  expect(findReads(source).toSorted()).toEqual(expected)
})

function captchas(): string[] {
  return ['code', 'comment', 'find_password', 'login', 'register'].map((name) => `security.enable_captcha_${name}`)
}

function findReads(source: string): string[] {
  if (!/settings|display|system/i.test(source)) return []
  const nodes = parseNodes(source, 'tsx', 'typeAnnotation')
  for (const { type, operator, left } of nodes) {
    if (type === 'AssignmentExpression' && operator === '=' && isNode(left)) left.written = true
  }
  const names = findAliases(nodes, source)
  const words = new Set(nodes.filter(({ type }) => type === 'Literal').map(({ value }) => value))
  const reads = nodes.flatMap((node) => [...readByPath(node, names, words), ...readByPattern(node, names, source)])
  return [...new Set(reads)]
}

/** Names that a file gives to groups: `const mine = settings.email`, `{ email: mine }`, `(mine: Settings['email'])`. */
function findAliases(nodes: Node[], source: string): Map<string, string> {
  const names = new Map(Object.keys(groups).map((name) => [name, name]))
  for (const node of nodes) {
    const { id, init, key, value } = node
    if (node.type === 'VariableDeclarator' && isNode(id) && id.type === 'Identifier' && isNode(init)) {
      const path = toPath(init)
      const last = path.at(-1) ?? ''
      if (path.length > 1 && last in groups) names.set(String(id.name), last)
    }
    if (node.type === 'Property' && isNode(key) && isNode(value) && value.type === 'Identifier') {
      if (String(key.name) in groups && key.name !== value.name) names.set(String(value.name), String(key.name))
    }
    const group = node.type === 'Identifier' ? typedGroup(node, source) : undefined
    if (group) names.set(String(node.name), group)
  }
  return names
}

function readByPath(node: Node, names: Map<string, string>, words: Set<unknown>): string[] {
  if (node.type !== 'MemberExpression' || node.written) return []
  const { object, property, computed } = node
  const group = isNode(object) ? findGroup(object, names) : undefined
  if (!group || !isNode(property)) return []
  if (!computed) return findKeys(group, (key) => key === property.name)
  if (property.type === 'Literal') return findKeys(group, (key) => key === property.value)
  if (property.type === 'TemplateLiteral') return findKeys(group, (key) => toPattern(property).test(key))
  return findKeys(group, (key) => words.has(key))
}

function readByPattern(node: Node, names: Map<string, string>, source: string): string[] {
  const { id, init, key, value } = node
  if (node.type === 'VariableDeclarator' && isPattern(id) && isNode(init))
    return readByDestructuring(id, findGroup(init, names))
  if (node.type === 'Property' && isNode(key) && isPattern(value))
    return readByDestructuring(value, names.get(String(key.name)))
  return isPattern(node) ? readByDestructuring(node, typedGroup(node, source)) : []
}

function readByDestructuring({ properties }: Node, group: string | undefined): string[] {
  const nodes = Array.isArray(properties) ? properties.filter(isNode) : []
  const picked = new Set(nodes.flatMap(({ key }) => (isNode(key) ? [key.name] : [])))
  return group ? findKeys(group, (key) => picked.has(key)) : []
}

/** The group in a node's type annotation: `Settings['email']`, or the file's alias of it. */
function typedGroup({ typeAnnotation }: Node, source: string): string | undefined {
  if (!isNode(typeAnnotation)) return undefined
  const text = source.slice(typeAnnotation.start, Number(typeAnnotation.end))
  const typeAliases = [...source.matchAll(/type (\w+) = (.*Settings(?:'\])?\['\w+'\])/g)]
  const annotation = typeAliases.find(([, name]) => new RegExp(`\\b${name}\\b`).test(text))?.[2] ?? text
  const name = /Settings(?:'\])?\['(\w+)'\]/.exec(annotation)?.[1]
  return name && name in groups ? name : undefined
}

function findGroup(node: Node, names: Map<string, string>): string | undefined {
  const path = toPath(node)
  const last = path.at(-1) ?? ''
  return path.length === 1 ? names.get(last) : last in groups ? last : undefined
}

/** `await (ctx.settings!).email` is ctx, settings, email. Anything else is an empty name. */
function toPath(node: Node): string[] {
  const inner = node.expression ?? node.argument ?? (node.type === 'LogicalExpression' ? node.left : undefined)
  if (isNode(inner)) return toPath(inner)
  if (node.type === 'Identifier') return [String(node.name)]
  const { object, property, computed } = node
  if (node.type !== 'MemberExpression' || computed || !isNode(object) || !isNode(property)) return ['']
  return [...toPath(object), String(property.name)]
}

function toPattern({ quasis }: Node): RegExp {
  const parts = Array.isArray(quasis) ? quasis.filter(isNode) : []
  return new RegExp(`^${parts.map(({ value }) => (value as { raw: string }).raw).join('.+')}$`)
}

function findKeys(group: string, matches: (key: string) => boolean): string[] {
  return Object.keys(groups[group] ?? {})
    .filter(matches)
    .map((key) => `${group}.${key}`)
}

function isPattern(node: unknown): node is Node {
  return isNode(node) && node.type === 'ObjectPattern'
}
