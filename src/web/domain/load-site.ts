import { ContentType } from '#shared/enums.ts'
import type { Call } from '#shared/client.ts'
import { ApiError, networkFailure } from '#shared/errors.ts'
import { announcements } from '#shared/contract/announcements.ts'
import { categories } from '#shared/contract/catalog.ts'
import { advertisements, navigations } from '#shared/contract/site.ts'
import { settings } from '#shared/contract/settings.ts'
import { accentOf } from '#shared/palettes.ts'
import { toAccent } from '#web/lib/accent.ts'
import type { Ad, Site } from '#web/domain/site.ts'
import { packCategories } from '#web/domain/packed-categories.ts'
import { currentSession } from '#web/lib/session.ts'
import { toTree } from '#web/lib/tree.ts'

export async function loadSite(api: Call): Promise<Site> {
  // A closed site gives anonymous visitors its settings alone: the shell is then shown without the rest.
  const [publicSettings, navigation, category, ads, hasAnnouncements] = await Promise.all([
    api(settings.get),
    api(navigations.list, { page: 1, size: 10_000 }).then((reply) => reply.navigation, emptyIfRefused),
    api(categories.list, {
      field: [...categoryFields],
      type: [ContentType.Document, ContentType.Article],
      enable: [true],
    }).then((reply) => reply.category, emptyIfRefused),
    loadAds(api, ['global_top', 'global_bottom']),
    api(announcements.current).then(
      ({ running }) => running > 0,
      () => false,
    ),
  ])
  const { display, system } = publicSettings
  const shown = display.hide_category_without_document ? category.filter((item) => item.doc_count > 0) : category
  return {
    // The server writes analytics scripts into the HTML.
    settings: { ...publicSettings, system: { ...system, analytics: '' } },
    navigations: toTree(navigation.filter((item) => item.enable).map((item) => pick(item, navigationFields))),
    categories: packCategories(shown),
    ads,
    hasAnnouncements,
    accent: toAccent(accentOf(display.palette, system.theme_color)),
    year: new Date().getFullYear(),
  }
}

/** Not even requested for a VIP member. */
export async function loadAds(api: Call, position: string[]): Promise<Ad[]> {
  if (currentSession().user.is_vip) return []
  const reply = await api(advertisements.position, { position }).catch(() => ({ advertisement: [] }))
  return reply.advertisement.map((ad) => pick(ad, ['id', 'position', 'content', 'allow_scripts']))
}

/** Without a connection the whole site fails to load, and the one before stays. */
function emptyIfRefused(error: unknown): [] {
  if (error instanceof ApiError && error.status === networkFailure) throw error
  return []
}

const navigationFields = ['id', 'parent_id', 'title', 'href', 'color', 'target', 'fixed'] as const
const categoryFields = [
  'id',
  'title',
  'parent_id',
  'icon',
  'cover',
  'doc_count',
  'enable',
  'description',
  'show_description',
  'type',
] as const

function pick<T, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as Pick<T, K>
}
