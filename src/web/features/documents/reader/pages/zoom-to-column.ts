import type { PagePoint } from '#web/features/documents/reader/pages/viewport.ts'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import { textColumnAt } from '#web/features/documents/reader/pages/text-column.ts'
import { zoomByTap } from '#web/features/documents/reader/pages/zoom.ts'
import { readPageText } from '#web/features/documents/reader/text/text-lines.ts'

interface Tap {
  address: string
  point: PagePoint
  clientX: number
  clientY: number
  /** The edges of the pages' window. */
  left: number
  width: number
}

/** Zooms to the column of text under the finger; without one, to twice the width. */
export async function zoomToColumn(reader: ReaderState, tap: Tap): Promise<void> {
  const { point, clientX, clientY, left, width } = tap
  const found = reader.rotation === 0 && (await findColumn(reader, tap))
  const zoom = zoomByTap(reader.fitPercent, found ? found.right - found.left : 1)
  // Where the whole width is one column, what is under the finger stays there.
  const isColumn = found && zoom !== zoomByTap(reader.fitPercent)
  reader.zoomAround(
    zoom,
    isColumn
      ? { ...point, x: (found.left + found.right) / 2, clientX: left + width / 2, clientY }
      : { ...point, clientX, clientY },
  )
}

/** As fractions of what is shown of the page. */
async function findColumn({ crop }: ReaderState, { address, point }: Tap) {
  const text = await loadText(address)
  if (!text) return undefined
  const { left, top, right, bottom } = crop ?? { left: 0, top: 0, right: 0, bottom: 0 }
  const shownWidth = 1 - left - right
  const x = (left + point.x * shownWidth) * text.width
  const y = (top + point.y * (1 - top - bottom)) * text.height
  const found = textColumnAt(text.lines, x, y)
  const fraction = (at: number) => (at / text.width - left) / shownWidth
  return found && { left: fraction(found.left), right: fraction(found.right) }
}

/** The text layer has asked for it already: it comes from the browser's cache. */
async function loadText(address: string) {
  try {
    const response = await fetch(address)
    return response.ok ? readPageText(await response.json()) : undefined
  } catch {
    return undefined
  }
}
