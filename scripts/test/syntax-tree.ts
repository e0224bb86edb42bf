import { parseAst } from 'vite'

/** Source code as a tree (ESTree), for tests that search it. */

export type Node = Record<string, unknown> & { type: string; start: number }

/** Every node of a source, parents first; `skipped` names a property whose nodes are left out. */
export function parseNodes(source: string, lang: 'ts' | 'tsx' = 'tsx', skipped?: string): Node[] {
  return walk(parseAst(source, { lang }), skipped)
}

export function walk(root: unknown, skipped?: string): Node[] {
  const found: Node[] = []
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const next = waiting.pop()
    const isFound = isNode(next)
    if (isFound) found.push(next)
    if (!isFound && !Array.isArray(next)) continue
    const children = Array.isArray(next) ? next : Object.keys(next).map((name) => name !== skipped && next[name])
    for (const child of children.toReversed()) if (typeof child === 'object' && child !== null) waiting.push(child)
  }
  return found
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
