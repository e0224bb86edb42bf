import type { Call } from '#shared/client.ts'
import { advertisements, categories, navigations } from '#shared/contract/site.ts'
import { settings } from '#shared/contract/system.ts'
import { accentOf } from '#web/lib/accent.ts'
import type { Ad, Site } from '#web/lib/site.ts'
import { pack } from '#web/lib/packed-categories.ts'
import { toTree } from '#web/lib/tree.ts'

export async function loadSite(api: Call): Promise<Site> {
  // A closed site refuses all but its settings to strangers: the shell is then shown without the rest.
  const [open, navigation, category, ads] = await Promise.all([
    api(settings.get),
    api(navigations.list, { page: 1, size: 10_000 }).then(
      (reply) => reply.navigation,
      () => [],
    ),
    api(categories.list, { field: [...categoryFields], type: [0, 1], enable: [true] }).then(
      (reply) => reply.category,
      () => [],
    ),
    loadAds(api, ['global_top', 'global_bottom']),
  ])
  const shown = open.display.hide_category_without_document ? category.filter((item) => item.doc_count > 0) : category
  return {
    // Statistics scripts come with the page, not with its data.
    settings: { ...open, system: { ...open.system, analytics: '' } },
    navigations: toTree(navigation.filter((item) => item.enable).map((item) => pick(item, navigationFields))),
    categories: pack(shown),
    ads,
    accent: accentOf(open.system.theme_color),
    year: new Date().getFullYear(),
  }
}

export async function loadAds(api: Call, position: string[]): Promise<Ad[]> {
  const reply = await api(advertisements.position, { position }).catch(() => ({ advertisement: [] }))
  return reply.advertisement.map((ad) => pick(ad, ['id', 'position', 'content']))
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
