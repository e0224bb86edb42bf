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
import type { Site } from '#web/lib/site.ts'

export interface ChoiceGroup {
  label: string
  choices: Choice[]
}

/** What a search can be narrowed to. */
export function filterGroups(query: SearchQuery, { documentCategories, settings }: Site): ChoiceGroup[] {
  const categories = documentCategories.map(({ id, title }): [number, string] => [id, title])
  const languages = settings.language.map(({ code, language }): [string, string] => [code, language])
  const kinds = Object.entries(kindFilters) as [KindFilter, string][]
  return [
    { label: '分类', choices: choices(query, 'category', [[0, '全部'], ...categories]) },
    { label: '格式', choices: choices(query, 'ext', [['', '全部'], ...kinds]) },
    { label: '语言', choices: choices(query, 'language', [['', '全部'], ...languages]) },
  ].filter((group) => group.choices.length > 2)
}

export function sortGroup(query: SearchQuery): ChoiceGroup {
  return { label: '排序', choices: choices(query, 'sort', Object.entries(searchSorts) as [SearchSort, string][]) }
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
