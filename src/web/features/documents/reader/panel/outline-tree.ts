import type { OutlineEntry } from '#web/features/documents/reader/panel/outline.tsx'

export interface OutlineNode extends OutlineEntry {
  /** In the list of all entries. */
  index: number
  children: OutlineNode[]
}

/** Longer outlines begin folded. */
const maxOpenEntries = 60

/** Levels may skip numbers, and may begin with any. */
export function buildOutline(outline: readonly OutlineEntry[]): OutlineNode[] {
  const roots: OutlineNode[] = []
  const path: OutlineNode[] = []
  for (const [index, entry] of outline.entries()) {
    const node: OutlineNode = { ...entry, index, children: [] }
    while ((path.at(-1)?.level ?? -Infinity) >= entry.level) path.pop()
    const siblings = path.at(-1)?.children ?? roots
    siblings.push(node)
    path.push(node)
  }
  return roots
}

/** The first entry of the page reached last; -1 before all of them. */
export function currentEntry(outline: readonly OutlineEntry[], current: number): number {
  let found = -1
  for (const [index, { page }] of outline.entries()) {
    if (page <= current && page > (outline[found]?.page ?? 0)) found = index
  }
  return found
}

/** The entries that are open unless the reader decides otherwise: all, or in a long outline those around the current one. */
export function openEntries(tree: readonly OutlineNode[], active: number, count: number): ReadonlySet<number> {
  const open = new Set<number>()
  const visit = (node: OutlineNode): boolean => {
    const holdsActive = node.children.map(visit).includes(true) || node.index === active
    if (holdsActive || count <= maxOpenEntries) open.add(node.index)
    return holdsActive
  }
  tree.forEach(visit)
  return open
}
