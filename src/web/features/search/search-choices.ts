import type { Facet } from '#shared/contract/search.ts'
import { ContentType, type FacetField } from '#shared/enums.ts'
import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import { offeredFees } from '#web/features/documents/browse/list-query.ts'
import type { Choice } from '#web/features/lists/choice-link.tsx'
import {
  durations,
  searchUrl,
  searchSorts,
  type Duration,
  type SearchQuery,
  type SearchSort,
} from '#web/features/search/search-query.ts'
import type { SiteWithCategories } from '#web/domain/site.ts'

export interface ChoiceGroup {
  label: string
  choices: Choice[]
}

/** The filters of a search, with the number of hits that each choice leaves. */
export function filterGroups(
  query: SearchQuery,
  site: SiteWithCategories,
  facets: readonly Facet[] = [],
): ChoiceGroup[] {
  const { documentCategories, articleCategories, settings } = site
  const roots = query.type === ContentType.Article ? articleCategories : documentCategories
  const categories = roots.map(({ id, title }): [number, string] => [id, title])
  const counted = <K extends FacetField>(key: K, values: [SearchQuery[K], string][]) => {
    const counts = new Map(facets.filter(({ field }) => field === key).map(({ value, count }) => [value, count]))
    return choices(query, key, values).map((choice, index) => ({
      ...choice,
      count: counts.get(String(values[index]?.[0])) ?? 0,
    }))
  }
  const byCategory = { label: '分类', choices: counted('category', [[0, '全部'], ...categories]) }
  if (query.type === ContentType.Article) return categories.length > 1 ? [byCategory] : []
  const languages = settings.language.map(({ code, language }): [string, string] => [code, language])
  const kinds = Object.entries(kindFilters) as [KindFilter, string][]
  return [
    byCategory,
    { label: '格式', choices: counted('ext', [['', '全部'], ...kinds]) },
    { label: '价格', choices: counted('fee', offeredFees(settings)) },
    { label: '语言', choices: counted('language', [['', '全部'], ...languages]) },
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
    to: searchUrl(query, { [key]: value }),
    isChosen: query[key] === value,
  }))
}
