import { contract } from '#shared/contract/contract.ts'
import type { ContentType } from '#shared/enums.ts'
import { dash } from '#web/admin/cells.tsx'
import { api } from '#web/lib/api.ts'
import { pathTo, toTree } from '#web/lib/tree.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** The path of a category in words; the id where the category is gone. */
export function CategoryNames({ type, path }: { type: ContentType; path: readonly number[] }) {
  const { data } = useQuery(type, () => loadTree(type), { enabled: path.length > 0 })
  const last = path.at(-1)
  if (last === undefined) return dash
  if (!data) return null
  const names = pathTo(data, last).map(({ title }) => title)
  return names.length > 0 ? names.join(' / ') : `分类 ${last}（已不存在）`
}

const freshMs = 30_000
const loaded = new Map<ContentType, { at: number; tree: ReturnType<typeof requestTree> }>()

/** Once for all the rows of a list. */
function loadTree(type: ContentType): ReturnType<typeof requestTree> {
  const known = loaded.get(type)
  if (known && Date.now() - known.at < freshMs) return known.tree
  const tree = requestTree(type)
  loaded.set(type, { at: Date.now(), tree })
  tree.catch(() => loaded.delete(type))
  return tree
}

async function requestTree(type: ContentType) {
  const { category } = await api(contract.categories.list, { type: [type] })
  return toTree(category)
}
