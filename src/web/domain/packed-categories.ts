import { ContentType } from '#shared/enums.ts'
import type { Category } from '#shared/contract/catalog.ts'
import { toTree, type Tree } from '#web/lib/tree.ts'

/** Every page carries all categories, often hundreds: packed as rows without field names and without trailing empty cells. */

type ListedCategory = Omit<Category, 'sort' | 'created_at' | 'updated_at' | 'enable'>

export function packCategories(categories: readonly ListedCategory[]): string {
  return categories.map((category) => toRow(category).join(cellEnd).replace(emptyCells, '')).join(rowEnd)
}

export interface CategoryTrees {
  documentCategories: Tree<ListedCategory>[]
  articleCategories: Tree<ListedCategory>[]
}

/** Memoized for the last text, so that components do not render again. */
export function unpackCategories(packed: string): CategoryTrees {
  if (packed === last.packed) return last.trees
  const categories = packed === '' ? [] : packed.split(rowEnd).map(fromRow)
  const ofType = (type: ContentType) => toTree(categories.filter((category) => category.type === type))
  last = {
    packed,
    trees: { documentCategories: ofType(ContentType.Document), articleCategories: ofType(ContentType.Article) },
  }
  return last.trees
}

let last: { packed: string; trees: CategoryTrees } = {
  packed: '',
  trees: { documentCategories: [], articleCategories: [] },
}

function fromRow(row: string): ListedCategory {
  const [id, title = '', parent_id, doc_count, type, shows, description = '', icon = '', cover = ''] = row
    .split(cellEnd)
    .map(unescapeCell)
  return {
    id: Number(id),
    title,
    parent_id: Number(parent_id ?? 0),
    doc_count: Number(doc_count ?? 0),
    type: type === String(ContentType.Article) ? ContentType.Article : ContentType.Document,
    show_description: shows === '1',
    description,
    icon,
    cover,
  }
}

// Characters that neither JSON nor HTML escapes: a short row consists mostly of separators.
const cellEnd = '^'
const rowEnd = '~'
const emptyCells = /(\^0?)+$/

function toRow({ id, title, parent_id, doc_count, type, ...rest }: ListedCategory): string[] {
  const numbers = [parent_id, doc_count, type, rest.show_description ? 1 : 0].map(String)
  return [String(id), escapeCell(title), ...numbers, ...[rest.description, rest.icon, rest.cover].map(escapeCell)]
}

function escapeCell(text: string): string {
  return text.replaceAll(/[%^~]|^0$/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}

function unescapeCell(text: string): string {
  return text.replaceAll(/%(25|30|5e|7e)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
