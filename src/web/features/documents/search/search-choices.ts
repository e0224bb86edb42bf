import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import type { Choice } from '#web/features/documents/browse/choice-link.tsx'
import {
  durations,
  searchAddress,
  searchSorts,
  type Duration,
  type SearchQuery,
  type SearchSort,
} from '#web/features/documents/search/search-query.ts'
import type { FurnishedSite } from '#web/lib/site.ts'

export interface ChoiceGroup {
  label: string
  choices: Choice[]
}

/** What a search can be narrowed to. */
export function filterGroups(query: SearchQuery, site: FurnishedSite): ChoiceGroup[] {
  const { documentCategories, articleCategories, settings } = site
  const roots = query.type === 1 ? articleCategories : documentCategories
  const categories = roots.map(({ id, title }): [number, string] => [id, title])
  const ofCategories = { label: '分类', choices: choices(query, 'category', [[0, '全部'], ...categories]) }
  if (query.type === 1) return categories.length > 1 ? [ofCategories] : []
  const languages = settings.language.map(({ code, language }): [string, string] => [code, language])
  const kinds = Object.entries(kindFilters) as [KindFilter, string][]
  return [
    ofCategories,
    { label: '格式', choices: choices(query, 'ext', [['', '全部'], ...kinds]) },
    { label: '语言', choices: choices(query, 'language', [['', '全部'], ...languages]) },
  ].filter((group) => group.choices.length > 2)
}

export function sortGroup(query: SearchQuery): ChoiceGroup {
  const sorts = Object.entries(searchSorts[query.type]) as [SearchSort, string][]
  return { label: '排序', choices: choices(query, 'sort', sorts) }
}

export function durationGroup(query: SearchQuery): ChoiceGroup {
  const titles = Object.entries(durations).map(([key, { title }]): [Duration, string] => [key as Duration, title])
  return { label: '时间', choices: choices(query, 'duration', titles) }
}

function choices<K extends keyof SearchQuery>(query: SearchQuery, key: K, values: [SearchQuery[K], string][]) {
  return values.map(([value, title]) => ({
    title,
    to: searchAddress(query, { [key]: value }),
    isChosen: query[key] === value,
  }))
}
