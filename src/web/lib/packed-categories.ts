import type { Category } from '#shared/contract/site.ts'
import { toTree, type Tree } from '#web/lib/tree.ts'

/** Hundreds of categories come with every page: they travel as rows without names, and without what is empty at their end. */

type Shown = Omit<Category, 'sort' | 'created_at' | 'updated_at' | 'enable'>

export function pack(categories: readonly Shown[]): string {
  return categories.map((one) => rowOf(one).join(cellEnd).replace(emptyEnd, '')).join(rowEnd)
}

export interface Trees {
  documentCategories: Tree<Shown>[]
  articleCategories: Tree<Shown>[]
}

/** The same trees for the same text: nothing is drawn anew because it was asked for again. */
export function unpack(packed: string): Trees {
  if (packed === last.packed) return last.trees
  const categories = packed === '' ? [] : packed.split(rowEnd).map(unpacked)
  const ofType = (type: number) => toTree(categories.filter((one) => one.type === type))
  last = { packed, trees: { documentCategories: ofType(0), articleCategories: ofType(1) } }
  return last.trees
}

let last: { packed: string; trees: Trees } = { packed: '', trees: { documentCategories: [], articleCategories: [] } }

function unpacked(row: string): Shown {
  const [id, title = '', parent_id, doc_count, type, shows, description = '', icon = '', cover = ''] = row
    .split(cellEnd)
    .map(unmasked)
  return {
    id: Number(id),
    title,
    parent_id: Number(parent_id ?? 0),
    doc_count: Number(doc_count ?? 0),
    type: Number(type ?? 0),
    show_description: shows === '1',
    description,
    icon,
    cover,
  }
}

// Nothing that JSON or HTML would have to mask, as they would quotes: that is most of what a short row is made of.
const cellEnd = '^'
const rowEnd = '~'
const emptyEnd = /(\^0?)+$/

function rowOf(one: Shown): string[] {
  const numbers = [one.parent_id, one.doc_count, one.type, one.show_description ? 1 : 0].map(String)
  return [String(one.id), masked(one.title), ...numbers, ...[one.description, one.icon, one.cover].map(masked)]
}

function masked(text: string): string {
  return text.replaceAll(/[%^~]|^0$/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}

function unmasked(text: string): string {
  return text.replaceAll(/%(25|30|5e|7e)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
