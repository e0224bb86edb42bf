import { useEffect, useSyncExternalStore } from 'react'
import { downloads } from '#shared/contract/downloads.ts'
import type { Reply } from '#shared/endpoint.ts'
import { api } from '#web/lib/api.ts'
import { currentSession } from '#web/lib/session.ts'
import { createStore } from '#web/lib/store.ts'

export type Terms = Reply<typeof downloads.terms>

/** The terms of downloads that this member has seen: all buttons of a document share them. */
const store = createStore<ReadonlyMap<string, Terms>>(() => new Map())
const loading = new Set<string>()

/**
 * Undefined until they are loaded; then the button says what everyone is told. Asked for again by every page that is opened:
 * the document may have been paid for on another one.
 */
export function useTerms(id: number): Terms | undefined {
  const key = keyOf(id)
  useEffect(() => {
    void loadTerms(id, key)
  }, [id, key])
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().get(key),
    () => undefined,
  )
}

/** Also after a purchase, so that the buttons tell of it. */
export async function loadTerms(id: number, key = keyOf(id)): Promise<void> {
  if (loading.has(key)) return
  loading.add(key)
  try {
    keepTerms(id, await api(downloads.terms, { id }), key)
  } catch {
    // The dialog asks again, and shows the error.
  } finally {
    loading.delete(key)
  }
}

export function keepTerms(id: number, terms: Terms, key = keyOf(id)): void {
  store.set(new Map(store.get()).set(key, terms))
}

/** Of the member who is logged in: another one may follow in the same window. */
function keyOf(id: number): string {
  return `${currentSession().user.id} ${id}`
}
