import type { ReflowedPage } from '#shared/reflow.ts'
import { createStore } from '#web/lib/store.ts'

/** Pages whose text is loaded together. */
export interface PageGroup {
  /** The last page of the request: the preview of a document that is being converted grows. */
  last: number
  /** Of the request; it changes when the key in it has expired. */
  address: string
  state: 'loading' | 'loaded' | 'failed' | 'released'
  pages: readonly ReflowedPage[]
  /** In pixels, of a group that was released. */
  height: number
}

/** By their first page. */
export type PageGroups = ReadonlyMap<number, PageGroup>

interface Load {
  first: number
  last: number
  address: string
}

/** The text of a document as far as it is loaded. */
export function createPageGroups(fetchGroup = fetchPages) {
  const store = createStore<PageGroups>(() => new Map())
  let setting: unknown
  const put = (first: number, group: PageGroup) => store.set(new Map(store.get()).set(first, group))
  return {
    subscribe: store.subscribe,
    get: store.get,
    /** Loads a group unless that has been done; a failed one is loaded again. */
    async load({ first, last, address }: Load): Promise<void> {
      const known = store.get().get(first)
      const isKnown =
        known?.last === last && (known.state === 'loaded' || (known.state === 'loading' && known.address === address))
      if (isKnown) return
      const loading: PageGroup = {
        last,
        address,
        state: 'loading',
        pages: known?.pages ?? [],
        height: known?.height ?? 0,
      }
      put(first, loading)
      const pages = await fetchGroup(address)
      // Meanwhile the preview may have grown, or the address changed.
      if (store.get().get(first) !== loading) return
      put(first, pages ? { ...loading, state: 'loaded', pages } : { ...loading, state: 'failed' })
    },
    /** Lets the text of a group go, whose place stays as high as it was. */
    release(first: number, height: number): void {
      const known = store.get().get(first)
      if (known?.state === 'loaded') put(first, { ...known, state: 'released', pages: [], height })
    },
    /** Another size of text makes other heights. */
    setTypography(typography: unknown): void {
      if (typography === setting) return
      setting = typography
      const groups = [...store.get()].map(([first, group]) => [first, { ...group, height: 0 }] as const)
      if ([...store.get().values()].some(({ height }) => height > 0)) store.set(new Map(groups))
    },
  }
}

/** Undefined when it failed. */
async function fetchPages(address: string): Promise<ReflowedPage[] | undefined> {
  try {
    const response = await fetch(address)
    if (!response.ok) return undefined
    const reply: { pages?: ReflowedPage[] } = await response.json()
    return reply.pages
  } catch {
    return undefined
  }
}

/** Groups in memory: more than are read in a sitting, and little enough for any phone. */
const maxLoaded = 12

/** The loaded groups furthest from the one that is read, beyond what is kept in memory. */
export function groupsToRelease(groups: PageGroups, current: number): number[] {
  const loaded = [...groups].filter(([, { state }]) => state === 'loaded').map(([first]) => first)
  return loaded.toSorted((a, b) => Math.abs(a - current) - Math.abs(b - current)).slice(maxLoaded)
}
