import { useRouteLoaderData } from 'react-router'
import type { Navigation } from '#shared/contract/site.ts'
import type { PublicSettings } from '#shared/contract/system.ts'
import type { Accent } from '#web/lib/accent.ts'
import { unpack, type Trees } from '#web/lib/packed-categories.ts'
import type { Tree } from '#web/lib/tree.ts'

/** What every page of the site shows around its content. */
export interface Site {
  settings: PublicSettings
  navigations: NavigationNode[]
  /** Packed: see `FurnishedSite`. */
  categories: string
  ads: Ad[]
  accent: Accent
  year: number
}

export type NavigationNode = Tree<
  Pick<Navigation, 'id' | 'parent_id' | 'title' | 'href' | 'color' | 'target' | 'fixed'>
>
export type CategoryNode = Trees['documentCategories'][number]
export type FurnishedSite = Site & Trees

export interface Ad {
  id: number
  position: string
  content: string
}

/** For what stands inside the shell, which is only shown when the site has been loaded. */
export function useSite(): FurnishedSite {
  const site = useRouteLoaderData<() => Promise<Site>>('root')
  if (!site) throw new Error('the site has not been loaded')
  return { ...site, ...unpack(site.categories) }
}
