import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isNode, type Node, parseNodes, walk } from '../scripts/test/syntax-tree.ts'

/**
 * Codes of the wire have names (`src/shared/enums.ts`, `src/shared/document-status.ts`): a number where a status, a type
 * or a reason is meant is a bare code. Numbers from 100 on are HTTP statuses; `7 as never` is no code on purpose.
 */

const root = resolve(import.meta.dirname, '..')
const isCoded = (name: unknown) => typeof name === 'string' && /(^|\.)(status|type|reason)$/.test(name)
const codeInSql = /\b(status|type|reason)"?\s+(=|<>|!=|in)\s+\(?\s*\d/i
/** Binary formats, the schema of its time, and the declarations themselves. */
const exempt =
  /^src\/server\/(convert|samples|db\/migrations)\/|^src\/server\/db\/conventional-names\.test\.ts$|^src\/shared\/(codes|enums|document-status)\.ts$|bare-codes/
const files = globSync(['src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'bench/**/*.ts'], { cwd: root })
  .filter((path) => !exempt.test(path))
  .toSorted()

test('codes are written by their names', () => {
  expect(files.length).toBeGreaterThan(500)
  const sources = files.map((path) => {
    const source = readFileSync(resolve(root, path), 'utf8')
    return { path, source, nodes: parseNodes(source, path.endsWith('x') ? 'tsx' : 'ts') }
  })
  const exported = sources.flatMap(({ nodes }) => nodes.flatMap(({ declaration }) => codedParameters(declaration)))
  const findings = sources.flatMap(({ path, source, nodes }) =>
    bareCodes(nodes, exported).map(({ start }) => `${path}:${source.slice(0, start).split('\n').length}`),
  )
  expect([...new Set(findings)]).toEqual([])
}, 60_000)

test.each([
  'document.status === 4',
  '2 !== row.status',
  'row.status = 2',
  'const status = ready ? 2 : 0',
  'const status = given ?? 1',
  'const row = { status: 2 }',
  "const row = { 'comment.type': [0, 1] }",
  'const row = { type: 1 as const }',
  'const { type = 1 } = input',
  'function list(status = 1) {}',
  'class Row { status = 1 }',
  "query.where('comment.status', '=', 2)",
  "query.where('type', 'in', [0, 1])",
  "or([eb('type', '=', 0), other])",
  '[4, 6].includes(status)',
  'new Set([4, 6]).has(document.status)',
  'for (const status of [4, 6, 7]) use(status)',
  'switch (row.status) { case 4: break }',
  'let row: { type: 0 | 1 }',
  'function list(status: 0 | 1) {}',
  'let types: Pick<Row, Key> & { type?: (0 | 1)[] }',
  'await assertNotPunished(ctx, 1, 4)',
  'const list = (wd: string, type?: ContentType) => wd; list(words, 1)',
  'view(<Favorites type={1} />)',
  'expect(row.status).toBe(2)',
  'expect(await row()).toMatchObject({ status: 2 })',
  'await expect.poll(async () => (await row()).status).toBe(2)',
  'sql`select id from comment where "status" = 1 and ${rest}`',
  "prepare('select id from document where status in (4, 6)')",
])('finds the bare code in %s', (source) => {
  expect(bareCodes(parseNodes(source))).not.toEqual([])
})

test.each([
  'document.status === DocumentStatus.Disabled',
  'response.status === 404',
  'expect(response.status).toBe(200)',
  "query.where('status', '=', ReviewStatus.Approved).limit(2)",
  "query.where('id', '=', 2)",
  '[DocumentStatus.Disabled].includes(status)',
  "const field = { type: 'number', size: 2 }",
  'await call(articles.list, { status: [7 as never] })',
  'await assertNotPunished(ctx, Punishment.NoDownload)',
  'view(<Input type="number" max={2} />)',
  'expect(rows.length).toBe(2)',
  'let row: { type: ContentType; enable: 0 | 1 }',
  "await visit(page, '/search?wd=x&type=1')",
  'sql`select id from comment where status = ${ReviewStatus.Approved} limit 2`',
])('finds none in %s', (source) => {
  expect(bareCodes(parseNodes(source))).toEqual([])
})

type Positions = [name: string, position: number][]

/** `exported` has the functions of other files that take a code. */
function bareCodes(nodes: Node[], exported: Positions = []): Node[] {
  const positions = new Map([...exported, ...nodes.flatMap(codedParameters)])
  return nodes.flatMap((node) => [...codesIn(node), ...codesInCall(node, positions)])
}

/** The numbers that a node gives to something with a coded name, or compares with it. */
function* codesIn(node: Node): Generator<Node> {
  const { id, key, value, left, right, init, name, typeAnnotation } = node
  if (/^(Property|PropertyDefinition)$/.test(node.type) && isCoded(nameOf(key))) yield* numbersIn(value)
  if (node.type === 'VariableDeclarator' && isCoded(nameOf(id))) yield* numbersIn(init)
  if (/^(Binary|Assignment)(Expression|Pattern)$/.test(node.type)) {
    if (isCoded(nameOf(left))) yield* numbersIn(right)
    if (isCoded(nameOf(right))) yield* numbersIn(left)
  }
  if (node.type === 'ForOfStatement' && isNode(left)) {
    if (listOf(left.declarations).some((declared) => isCoded(nameOf(declared.id)))) yield* numbersIn(right)
  }
  if (node.type === 'SwitchStatement' && isCoded(nameOf(node.discriminant))) {
    for (const branch of listOf(node.cases)) yield* numbersIn(branch.test)
  }
  if (node.type === 'JSXAttribute' && isCoded(nameOf(name)) && isNode(value)) yield* numbersIn(value.expression)
  if (/^(TSPropertySignature|Identifier)$/.test(node.type) && isCoded(nameOf(key ?? node))) {
    for (const { type, literal } of walk(typeAnnotation)) if (type === 'TSLiteralType') yield* numbersIn(literal)
  }
  if (node.type === 'Literal' && typeof value === 'string' && codeInSql.test(value)) yield node
  if (node.type === 'TemplateElement' && codeInSql.test((value as { raw: string }).raw)) yield node
}

/** `where('type', 'in', [0, 1])`, `[4, 6].includes(status)`, `expect(row.status).toBe(2)`, `assertNotPunished(ctx, 1)`. */
function* codesInCall({ type, callee, arguments: given }: Node, positions: Map<string, number>): Generator<Node> {
  const args = listOf(given)
  if (type !== 'CallExpression' || !isNode(callee)) return
  yield* numbersIn(args[positions.get(nameOf(callee) ?? '') ?? -1])
  const isAbout = args.some(({ value }) => isCoded(value)) || /punish/i.test(nameOf(callee) ?? '')
  if (isAbout || expected(callee.object).some((node) => isCoded(nameOf(node))))
    for (const arg of args) yield* numbersIn(arg)
  if (args.some((arg) => isCoded(nameOf(arg)))) yield* numbersIn(callee.object)
}

/** Which argument of a function is a code: `function list(wd, type)`, `const list = (wd, type) => …`. */
function codedParameters(node: unknown): Positions {
  if (!isNode(node)) return []
  const [name, lambda] = [nameOf(node.id ?? node.key), node.init ?? node.value]
  const parameters = listOf(node.params ?? (isNode(lambda) && lambda.params))
  const position = parameters.findIndex((parameter) => isCoded(nameOf(parameter.left ?? parameter)))
  return name && position >= 0 ? [[name, position]] : []
}

/** What stands in the `expect(…)` or `expect.poll(…)` of a matcher. */
function expected(node: unknown): Node[] {
  if (!isNode(node)) return []
  if (node.type === 'MemberExpression') return expected(node.object)
  const isExpect =
    node.type === 'CallExpression' &&
    [node.callee, (node.callee as Node).object].some((part) => nameOf(part) === 'expect')
  return isExpect ? listOf(node.arguments).map((arg) => (isNode(arg.body) ? arg.body : arg)) : []
}

/** Codes stand alone, in lists, in branches and behind casts. */
function* numbersIn(node: unknown): Generator<Node> {
  if (!isNode(node) || (isNode(node.typeAnnotation) && node.typeAnnotation.type === 'TSNeverKeyword')) return
  if (node.type === 'Literal' && typeof node.value === 'number' && node.value < 100) yield node
  const inner = [node.consequent, node.alternate, node.left, node.right, node.expression, node.argument]
  const isOpen =
    /^(Conditional|Logical|TSAs|TSSatisfies|Parenthesized|Await)Expression$|^SpreadElement$|^AssignmentPattern$/
  if (isOpen.test(node.type)) for (const part of inner) yield* numbersIn(part)
  if (/^(Array|New)Expression$/.test(node.type))
    for (const part of listOf(node.elements ?? node.arguments)) yield* numbersIn(part)
}

/** The last name of `a.b.status`, `status` or `'status'`. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type.endsWith('Identifier')) return String(node.name)
  if (node.type === 'Literal') return String(node.value)
  return node.computed ? undefined : nameOf(node.property ?? node.expression)
}

function listOf(nodes: unknown): Node[] {
  return Array.isArray(nodes) ? nodes.filter(isNode) : []
}
