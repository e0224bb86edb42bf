import { useState } from 'react'
import * as z from 'zod/mini'
import { local } from '#web/lib/browser/storage.ts'

const Preferences = z.object({
  size: z.optional(z.number()),
  columns: z.optional(z.array(z.string())),
})
type Preferences = z.output<typeof Preferences>

export const pageSizes = [10, 20, 50, 100]

/** The page size and columns that the user chose for a screen, stored in this browser. */
function readPreferences(screen: string): Preferences {
  try {
    return z.parse(Preferences, JSON.parse(local.read(toStorageKey(screen)) ?? '{}'))
  } catch {
    return {}
  }
}

export function writePreferences(screen: string, changes: Preferences): void {
  local.write(toStorageKey(screen), JSON.stringify({ ...readPreferences(screen), ...changes }))
}

export function preferredPageSize(screen: string): number {
  const { size = 20 } = readPreferences(screen)
  return pageSizes.includes(size) ? size : 20
}

export function useVisibleColumns(screen: string, defaultColumns: string[]) {
  const [visible, setVisible] = useState(() => readPreferences(screen).columns ?? defaultColumns)
  const change = (columns: string[]) => {
    setVisible(columns)
    writePreferences(screen, { columns })
  }
  return { visible, change }
}

function toStorageKey(screen: string): string {
  return `wendou-admin:${screen}`
}
