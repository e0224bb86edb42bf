import type { searches, Facet } from '#shared/contract/search.ts'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import type { Input } from '#shared/endpoint.ts'
import type { FacetField } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'

type DocumentFilters = Pick<Input<typeof searches.documents>, 'category_id' | 'ext' | 'fee_type' | 'language'>

/** Whether one of the filters is set that facets offer. */
export function isFiltered({ category_id, ext, fee_type, language }: DocumentFilters): boolean {
  return category_id.length > 0 || ext !== '' || fee_type !== '' || language.some(Boolean)
}

interface Counted {
  /** The values that a result has, by field. */
  values: Record<FacetField, readonly string[]>
}

/** How many of these documents each choice of a filter would leave, with the other filters as they are. */
export async function countDocumentFacets(
  { db }: Ctx,
  ids: readonly number[],
  filters: DocumentFilters,
): Promise<Facet[]> {
  const [rows, categories] = await Promise.all([
    db
      .selectFrom('document')
      .select(['id', 'ext', 'language', 'price', 'is_vip'])
      .where(inList(db, 'id', ids))
      .execute(),
    db
      .selectFrom('document_category')
      .select(['document_id as id', 'category_id'])
      .where(inList(db, 'document_id', ids))
      .execute(),
  ])
  const categoriesOf = groupCategories(categories)
  const chosen = {
    category: filters.category_id.map(String),
    ext: [filters.ext].filter(Boolean),
    fee: [filters.fee_type].filter(Boolean),
    language: filters.language.filter(Boolean),
  }
  const counted = rows.map(({ id, ext, language, price, is_vip }) => ({
    values: {
      category: categoriesOf.get(id) ?? [],
      ext: [documentKinds[getDocumentKind(ext)].wire],
      fee: [price > 0 ? 'charge' : 'free', ...(is_vip ? ['vip'] : [])],
      language: [language].filter(Boolean),
    },
  }))
  return countFacets(['category', 'ext', 'fee', 'language'], counted, chosen)
}

export async function countArticleFacets(
  { db }: Ctx,
  ids: readonly number[],
  { category_id }: { category_id: number[] },
): Promise<Facet[]> {
  const rows = await db
    .selectFrom('article_category')
    .select(['article_id as id', 'category_id'])
    .where(inList(db, 'article_id', ids))
    .execute()
  const categories = groupCategories(rows)
  const counted = ids.map((id) => ({
    values: { category: categories.get(id) ?? [], ext: [], fee: [], language: [] },
  }))
  return countFacets(['category'], counted, { category: category_id.map(String), ext: [], fee: [], language: [] })
}

function countFacets(
  fields: readonly FacetField[],
  results: readonly Counted[],
  chosen: Record<FacetField, readonly string[]>,
): Facet[] {
  const passes = ({ values }: Counted, field: FacetField) =>
    chosen[field].length === 0 || chosen[field].some((value) => values[field].includes(value))
  return fields.flatMap((field) => {
    const counts = new Map<string, number>()
    for (const result of results.filter((result) => fields.every((other) => other === field || passes(result, other))))
      for (const value of result.values[field]) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts].map(([value, count]) => ({ field, value, count }))
  })
}

function groupCategories(rows: readonly { id: number; category_id: number }[]): Map<number, string[]> {
  const groups = new Map<number, string[]>()
  for (const { id, category_id } of rows) groups.set(id, [...(groups.get(id) ?? []), String(category_id)])
  return groups
}
