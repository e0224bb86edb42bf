import type { AnyColumn } from '#web/admin/resource.ts'

interface Fit {
  shown: AnyColumn[]
  /** What does not fit is shown below its row, on request. */
  folded: AnyColumn[]
}

export const expanderWidth = 40

/**
 * The columns that fit into a width. They are given in the order of their importance, but for the number of the row, which
 * is the first to go; the most important one stays in any case.
 */
export function fitColumns(columns: readonly AnyColumn[], width: number): Fit {
  const byImportance = columns.toSorted((a, b) => Number(a.key === 'id') - Number(b.key === 'id'))
  if (sumWidths(columns) <= width) return { shown: [...columns], folded: [] }
  let left = width - expanderWidth
  const kept = new Set<string>()
  for (const column of byImportance) {
    const needed = columnWidth(column)
    if (kept.size > 0 && needed > left) continue
    kept.add(column.key)
    left -= needed
  }
  const isKept = ({ key }: AnyColumn) => kept.has(key)
  return { shown: columns.filter(isKept), folded: columns.filter((column) => !isKept(column)) }
}

/** Room for the declared width and for the heading on one line. */
export function columnWidth({ key, label, width, sort }: AnyColumn): number {
  const fallback = key.endsWith('_at') ? 140 : 110
  const heading = typeof label === 'string' ? textWidth(label) : 2 * wideCharacter
  return Math.max(width ?? fallback, heading + cellPadding + (sort ? sorterWidth : 0))
}

const wideCharacter = 14
const narrowCharacter = 8
const cellPadding = 17
const sorterWidth = 20

/** About as wide as it is drawn; letters and digits take about half of a Chinese character. */
export function textWidth(text: string): number {
  const narrow = text.match(/[\u0020-\u2E7F]/g)?.length ?? 0
  return narrow * narrowCharacter + (text.length - narrow) * wideCharacter
}

function sumWidths(columns: readonly AnyColumn[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column), 0)
}
