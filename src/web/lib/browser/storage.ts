/** The browser's storage, which may be blocked or full: values that cannot be stored last as long as the page does. */

export const local = withMemoryFallback(() => localStorage)
export const perTab = withMemoryFallback(() => sessionStorage)

/** The copies that the service worker keeps for times without a network, of what only a session has opened. */
export const personalCopies = ['personal', 'replies']

export async function deleteCopies(names: readonly string[]): Promise<void> {
  if ('caches' in globalThis) await Promise.allSettled(names.map((name) => caches.delete(name)))
}

function withMemoryFallback(open: () => Storage) {
  const memory = new Map<string, string>()
  return {
    read: (key: string): string | null => memory.get(key) ?? attempt(() => open().getItem(key)) ?? null,
    /** Returns whether the value survives a reload. */
    write(key: string, text: string): boolean {
      const isStored = attempt(() => {
        open().setItem(key, text)
        return true
      })
      if (isStored) memory.delete(key)
      else memory.set(key, text)
      return isStored === true
    },
    remove(key: string): void {
      memory.delete(key)
      attempt(() => open().removeItem(key))
    },
    clear(): void {
      memory.clear()
      attempt(() => open().clear())
    },
  }
}

/** Where storage is blocked, even reading the global throws. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
