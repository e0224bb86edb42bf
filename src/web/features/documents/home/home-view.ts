import { local } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** How the home page shows its recommendations, as this browser remembers it. */

export type HomeView = 'grid' | 'list'

const key = 'wendou-home-view'
const store = createStore<HomeView>(() => (local.read(key) === 'list' ? 'list' : 'grid'))

export function useHomeView(): { view: HomeView; choose: (view: HomeView) => void } {
  return { view: useStore(store, 'grid'), choose }
}

function choose(view: HomeView): void {
  local.write(key, view)
  store.set(view)
}
