import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { catalogue, isAwaited } from './settings.ts'
import type { Field } from './setting-fields.ts'

/**
 * A setting that nothing reads is a promise that nobody keeps. The source is read as a tree: `….display.key`,
 * `const { key } = settings.display`, `({ display: { key } })`, names that stand for a group, and keys put together.
 */

type Node = Record<string, unknown> & { type: string }

const root = resolve(import.meta.dirname, '../..')
const groups: Record<string, Record<string, Field>> = Object.fromEntries(
  Object.entries(catalogue).map(([name, { fields }]) => [name, fields]),
)
// What shows, stores or checks every setting alike uses none of them.
const alike = /\.test\.tsx?$|shared\/settings\.ts$|shared\/setting-fields\.ts$|settings\.present\.ts$/
const files = globSync('src/{server,shared,web}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !alike.test(path))
const used = new Set(files.flatMap((path) => readsOf(readFileSync(resolve(root, path), 'utf8'))))

const all = Object.entries(groups).flatMap(([group, fields]) => Object.keys(fields).map((key) => ({ group, key })))
const nameOf = ({ group, key }: { group: string; key: string }) => `${group}.${key}`

test('the source was looked at', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(used.size).toBeGreaterThan(60)
})

test('every setting is read by something, unless its screen says that it is awaited', () => {
  const unused = all.filter(({ group, key }) => !isAwaited(group, key)).filter((one) => !used.has(nameOf(one)))
  expect(unused.map(nameOf)).toEqual([])
})

test('what is said to be awaited is not there yet', () => {
  const there = all.filter(({ group, key }) => isAwaited(group, key)).filter((one) => used.has(nameOf(one)))
  expect(there.map(nameOf)).toEqual([])
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
  expect(readsOf(source).toSorted()).toEqual(expected)
})

function captchas(): string[] {
  return ['comment', 'find_password', 'login', 'register'].map((name) => `security.enable_captcha_${name}`)
}

function readsOf(source: string): string[] {
  if (!/settings|display|system/i.test(source)) return []
  const nodes = [...walk(parseAst(source, { lang: 'tsx' }))]
  const names = aliasesOf(nodes, source)
  const words = new Set(nodes.filter(({ type }) => type === 'Literal').map(({ value }) => value))
  const found = nodes.flatMap((node) => [...readByPath(node, names, words), ...readByPattern(node, names, source)])
  return [...new Set(found)]
}

/** Names that a file gives to groups: `const mine = settings.email`, `{ email: mine }`, `(mine: Settings['email'])`. */
function aliasesOf(nodes: Node[], source: string): Map<string, string> {
  const names = new Map(Object.keys(groups).map((name) => [name, name]))
  for (const node of nodes) {
    const { id, init, key, value } = node
    if (node.type === 'VariableDeclarator' && isNode(id) && id.type === 'Identifier' && isNode(init)) {
      const path = pathOf(init)
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
  const group = isNode(object) ? groupOf(object, names) : undefined
  if (!group || !isNode(property)) return []
  if (!computed) return keysOf(group, (key) => key === property.name)
  if (property.type === 'Literal') return keysOf(group, (key) => key === property.value)
  if (property.type === 'TemplateLiteral') return keysOf(group, (key) => templateOf(property).test(key))
  return keysOf(group, (key) => words.has(key))
}

function readByPattern(node: Node, names: Map<string, string>, source: string): string[] {
  const { id, init, key, value } = node
  if (node.type === 'VariableDeclarator' && isPattern(id) && isNode(init)) return taken(id, groupOf(init, names))
  if (node.type === 'Property' && isNode(key) && isPattern(value)) return taken(value, names.get(String(key.name)))
  return isPattern(node) ? taken(node, typedGroup(node, source)) : []
}

function taken({ properties }: Node, group: string | undefined): string[] {
  const nodes = Array.isArray(properties) ? properties.filter(isNode) : []
  const picked = new Set(nodes.flatMap(({ key }) => (isNode(key) ? [key.name] : [])))
  return group ? keysOf(group, (key) => picked.has(key)) : []
}

/** The group that a node's own type names: `Settings['email']`, or what the file calls it. */
function typedGroup({ typeAnnotation }: Node, source: string): string | undefined {
  if (!isNode(typeAnnotation)) return undefined
  const text = source.slice(Number(typeAnnotation.start), Number(typeAnnotation.end))
  const called = [...source.matchAll(/type (\w+) = (.*Settings(?:'\])?\['\w+'\])/g)]
  const whole = called.find(([, name]) => new RegExp(`\\b${name}\\b`).test(text))?.[2] ?? text
  const name = /Settings(?:'\])?\['(\w+)'\]/.exec(whole)?.[1]
  return name && name in groups ? name : undefined
}

function groupOf(node: Node, names: Map<string, string>): string | undefined {
  const path = pathOf(node)
  const last = path.at(-1) ?? ''
  return path.length === 1 ? names.get(last) : last in groups ? last : undefined
}

/** `await (ctx.settings!).email` is ctx, settings, email. What is no name is an empty one. */
function pathOf(node: Node): string[] {
  const inner = node.expression ?? node.argument ?? (node.type === 'LogicalExpression' ? node.left : undefined)
  if (isNode(inner)) return pathOf(inner)
  if (node.type === 'Identifier') return [String(node.name)]
  const { object, property, computed } = node
  if (node.type !== 'MemberExpression' || computed || !isNode(object) || !isNode(property)) return ['']
  return [...pathOf(object), String(property.name)]
}

function templateOf({ quasis }: Node): RegExp {
  const parts = Array.isArray(quasis) ? quasis.filter(isNode) : []
  return new RegExp(`^${parts.map(({ value }) => (value as { raw: string }).raw).join('.+')}$`)
}

function keysOf(group: string, wanted: (key: string) => boolean): string[] {
  return Object.keys(groups[group] ?? {})
    .filter(wanted)
    .map((key) => `${group}.${key}`)
}

/** Every node. What an assignment writes is marked: it is not read. */
function* walk(node: unknown): Generator<Node> {
  if (Array.isArray(node)) for (const one of node) yield* walk(one)
  if (!isNode(node)) return
  if (node.type === 'AssignmentExpression' && node.operator === '=' && isNode(node.left)) node.left.written = true
  yield node
  for (const [name, child] of Object.entries(node)) {
    if (name !== 'typeAnnotation' && typeof child === 'object') yield* walk(child)
  }
}

function isPattern(node: unknown): node is Node {
  return isNode(node) && node.type === 'ObjectPattern'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
