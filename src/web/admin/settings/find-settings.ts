import { nameCredits, nameCreditsOf } from '#shared/credit-name.ts'
import type { Field } from '#shared/setting-fields.ts'
import { catalogue } from '#shared/settings.ts'
import { toSections } from '#web/admin/settings/sections.ts'

export interface FoundSetting {
  group: string
  groupTitle: string
  section: string
  name: string
  label: string
  help: string
}

/** Where a word stands, the best place first. */
type Entry = FoundSetting & { places: readonly string[] }

const entries: readonly Entry[] = Object.entries(catalogue).flatMap(([group, { title, fields }]) => {
  const known: Record<string, Field> = fields
  return toSections(group, Object.keys(known)).flatMap(({ title: section = '', names }) =>
    names.flatMap((name): Entry[] => {
      const field = known[name]
      if (!field) return []
      const { label, help = '', options = {} } = field
      const places = [label, `${group}.${name}`, help, Object.values(options).join(' '), `${title} ${section}`]
      return [{ group, groupTitle: title, section, name, label, help, places }]
    }),
  )
})

export function settingsPage(group: string): string {
  return `/admin/config/${group}`
}

/** The settings in which all words of the query occur, the best matches first. */
export function findSettings(query: string, canOpen: (page: string) => boolean, creditName: string): FoundSetting[] {
  const words = fold(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .filter(({ group }) => canOpen(settingsPage(group)))
    .flatMap(({ places, ...found }) => {
      const named = places.map((place) => fold(nameCredits(place, creditName)))
      const ranks = words.map((word) => rank(word, named))
      return ranks.includes(-1) ? [] : [{ found: nameCreditsOf(found, creditName), rank: Math.max(...ranks) }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ found }) => found)
}

export interface FoundPage {
  path: string
  label: string
  /** The group of the menu that it is in. */
  groupTitle: string
}

/** A page of the menu, and what its screen says of itself. */
export interface MenuPage extends FoundPage {
  hint: string
}

/** The pages in whose name, group or hint all words of the query occur, the best matches first. */
export function findPages(query: string, pages: readonly MenuPage[]): FoundPage[] {
  const words = fold(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return pages
    .flatMap(({ hint, ...page }) => {
      const ranks = words.map((word) => rank(word, [page.label, page.groupTitle, hint].map(fold)))
      return ranks.includes(-1) ? [] : [{ page, rank: Math.max(...ranks) }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ page }) => page)
}

/** -1 if the word does not occur. */
function rank(word: string, places: readonly string[]): number {
  return places.findIndex((place) => place.includes(word))
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
