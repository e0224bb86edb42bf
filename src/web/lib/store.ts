import { useSyncExternalStore } from 'react'

export interface Store<T> {
  get: () => T
  /** Every component that uses the store renders again. */
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** State outside React that several components share. `init` runs on first use: only the browser has a storage to read. */
export function createStore<T>(init: () => T): Store<T> {
  const listeners = new Set<() => void>()
  let state: { value: T } | undefined
  return {
    get: () => (state ??= { value: init() }).value,
    set(value) {
      state = { value }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** `onServer` is also the value of the first render in the browser, so that hydration matches the server's HTML. */
export function useStore<T>({ subscribe, get }: Pick<Store<T>, 'subscribe' | 'get'>, onServer: T): T {
  return useSyncExternalStore(subscribe, get, () => onServer)
}
