import { useState } from 'react'
import * as z from 'zod/mini'

const Preferences = z.object({
  size: z.optional(z.number()),
  shown: z.optional(z.array(z.string())),
})
type Preferences = z.output<typeof Preferences>

export const pageSizes = [10, 20, 50, 100]

/** Page size and columns that a person chose for a screen, kept in this browser. */
function readPreferences(screen: string): Preferences {
  try {
    return z.parse(Preferences, JSON.parse(localStorage.getItem(keyOf(screen)) ?? '{}'))
  } catch {
    return {}
  }
}

export function writePreferences(screen: string, changes: Preferences): void {
  try {
    localStorage.setItem(keyOf(screen), JSON.stringify({ ...readPreferences(screen), ...changes }))
  } catch {
    // Storage is full or forbidden: the choice holds until the page is left.
  }
}

export function rememberedSize(screen: string): number {
  const { size = 20 } = readPreferences(screen)
  return pageSizes.includes(size) ? size : 20
}

export function useShownColumns(screen: string, usual: string[]) {
  const [shown, setShown] = useState(() => readPreferences(screen).shown ?? usual)
  const choose = (keys: string[]) => {
    setShown(keys)
    writePreferences(screen, { shown: keys })
  }
  return { shown, choose }
}

function keyOf(screen: string): string {
  return `wendou-admin:${screen}`
}
