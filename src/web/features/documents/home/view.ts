import { useSyncExternalStore } from 'react'
import { local } from '#web/lib/storage.ts'

/** How somebody likes the home page's recommendations, remembered in this browser. */

export type HomeView = 'grid' | 'list'

export function useHomeView(): { view: HomeView; choose: (view: HomeView) => void } {
  return { view: useSyncExternalStore(subscribe, chosen, () => 'grid'), choose }
}

const key = 'wendou-home-view'

function chosen(): HomeView {
  return local.read(key) === 'list' ? 'list' : 'grid'
}

function choose(view: HomeView): void {
  local.write(key, view)
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
