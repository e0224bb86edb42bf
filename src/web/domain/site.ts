import { useRouteLoaderData } from 'react-router'
import type { Navigation } from '#shared/contract/site.ts'
import type { PublicSettings } from '#shared/contract/settings.ts'
import type { Accent } from '#web/lib/accent.ts'
import { unpackCategories, type CategoryTrees } from '#web/domain/packed-categories.ts'
import type { Tree } from '#web/lib/tree.ts'

/** What every page needs of the site: loaded once by the root route. */
export interface Site {
  settings: PublicSettings
  navigations: NavigationNode[]
  /** Packed (packed-categories.ts); `useSite` unpacks them. */
  categories: string
  ads: Ad[]
  /** Some are running, though perhaps not for this viewer. */
  hasAnnouncements: boolean
  accent: Accent
  year: number
}

export type NavigationNode = Tree<
  Pick<Navigation, 'id' | 'parent_id' | 'title' | 'href' | 'color' | 'target' | 'fixed'>
>
export type CategoryNode = CategoryTrees['documentCategories'][number]
export type SiteWithCategories = Site & CategoryTrees

export interface Ad {
  id: number
  position: string
  content: string
  allow_scripts: boolean
}

/** For components inside the shell, which is rendered only when the site has been loaded. */
export function useSite(): SiteWithCategories {
  const site = useRouteLoaderData<() => Promise<Site>>('root')
  if (!site) throw new Error('the site has not been loaded')
  return { ...site, ...unpackCategories(site.categories) }
}

/** The site's name for its credits. */
export function useCreditName(): string {
  return creditNameOf(useSite())
}

/** The default of the setting if it is empty, or if the site could not be loaded. */
export function creditNameOf(site: Pick<Site, 'settings'> | undefined): string {
  return site?.settings.system.credit_name || '豆子'
}
