import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { documents } from '#shared/contract/documents.ts'
import { describeFailure, type FindFailure } from '#web/features/documents/reader/find/find-failure.ts'
import type { CellPosition } from '#web/features/documents/reader/table/selection.ts'
import { api } from '#web/lib/api.ts'
import { useRetry } from '#web/lib/browser/online.ts'

export interface FoundCell extends CellPosition {
  sheet: number
}

interface FindResult {
  words: string
  cells: readonly FoundCell[]
  /** There are more hits than are listed. */
  hasMore: boolean
}

interface CellFindOptions {
  id: number
  words: string
  /** Changes with the rows that may be read: they are searched again. */
  version: string
  /** The search starts at this cell. */
  from: FoundCell
  onFound: (cell: FoundCell) => void
}

/** Searches all sheets, and steps from hit to hit. */
export function useCellFind({ id, words, version, from, onFound }: CellFindOptions) {
  const [result, setResult] = useState<FindResult>()
  const [current, setCurrent] = useState(0)
  const [failure, setFailure] = useState<FindFailure>()
  const show = useEffectEvent((next: FindResult) => {
    setResult(next)
    setFailure(undefined)
    const first = firstFrom(next.cells, from)
    setCurrent(first)
    const cell = next.cells[first]
    if (cell) onFound(cell)
  })
  const [attempt, setAttempt] = useState(0)
  const request = useMemo(() => ({ id, words, version, attempt }), [id, words, version, attempt])
  useEffect(() => {
    const { id, words } = request
    if (words === '') return undefined
    const controller = new AbortController()
    const search = async () => {
      try {
        const { cell, has_more } = await api(documents.findCells, { id, wd: words })
        const cells = cell.map(([sheet = 0, row = 0, column = 0]) => ({ sheet, row, column }))
        if (!controller.signal.aborted) show({ words, cells, hasMore: has_more })
      } catch (error) {
        if (controller.signal.aborted) return
        setFailure(describeFailure(words, error))
      }
    }
    void search()
    return () => controller.abort()
  }, [request])

  const shown = words !== '' && result?.words === words ? result : undefined
  const ownFailure = failure?.words === words ? failure : undefined
  useRetry(ownFailure?.isOfNetwork ? ownFailure : undefined, () => setAttempt((before) => before + 1))
  const problem = ownFailure?.message ?? ''
  return {
    cells: shown?.cells ?? [],
    current: shown?.cells[current],
    number: shown && shown.cells.length > 0 ? current + 1 : 0,
    hasMore: shown?.hasMore ?? false,
    isDone: shown !== undefined,
    isSearching: words !== '' && !shown && problem === '',
    problem,
    step: (direction: 1 | -1) => {
      const cells = shown?.cells ?? []
      if (cells.length === 0) return
      const next = (current + direction + cells.length) % cells.length
      setCurrent(next)
      const cell = cells[next]
      if (cell) onFound(cell)
    },
  }
}

/** The first hit at or after a cell, else the first of all. */
function firstFrom(cells: readonly FoundCell[], { sheet, row, column }: FoundCell): number {
  const at = cells.findIndex(
    (cell) =>
      cell.sheet > sheet || (cell.sheet === sheet && (cell.row > row || (cell.row === row && cell.column >= column))),
  )
  return Math.max(0, at)
}
