import { useState } from 'react'
import type { ListQuery } from '#web/admin/engine/listing/listing.ts'
import { noneSelected, type SelectedRows } from '#web/admin/engine/selection/selected-rows.ts'

/** What is selected stays while the user turns pages or sorts, and is dropped when other rows are asked for. */
export function useSelection({ wd, filters }: ListQuery) {
  const scope = JSON.stringify([wd, filters])
  const [selection, setSelection] = useState<{ scope: string; rows: SelectedRows }>({ scope, rows: noneSelected })
  return {
    selected: selection.scope === scope ? selection.rows : noneSelected,
    setSelected: (rows: SelectedRows) => setSelection({ scope, rows }),
  }
}
