/** The browser's storage, which may be blocked or full: what cannot be kept lasts as long as the page does. */

export const local = keeper(() => localStorage)
export const perTab = keeper(() => sessionStorage)

function keeper(open: () => Storage) {
  const unkept = new Map<string, string>()
  return {
    read: (key: string): string | null => unkept.get(key) ?? attempt(() => open().getItem(key)) ?? null,
    /** Whether it will still be there after a reload. */
    write(key: string, text: string): boolean {
      const isKept = attempt(() => {
        open().setItem(key, text)
        return true
      })
      if (isKept) unkept.delete(key)
      else unkept.set(key, text)
      return isKept === true
    },
    remove(key: string): void {
      unkept.delete(key)
      attempt(() => open().removeItem(key))
    },
    clear(): void {
      unkept.clear()
      attempt(() => open().clear())
    },
  }
}

/** Even naming the storage throws where it is blocked. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
