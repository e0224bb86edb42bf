import { createStore, useStore } from '#web/lib/store.ts'

/** Counts the pages that could not be shown: the error page reports them, the progress bar turns red. */

const store = createStore(() => 0)

export function reportPageFailure(): void {
  store.set(store.get() + 1)
}

export function usePageFailures(): number {
  return useStore(store, 0)
}
