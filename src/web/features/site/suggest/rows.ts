import type { Suggestion } from '#shared/contract/search.ts'
import { articlePath, documentPath } from '#web/lib/paths.ts'
import { searchPath } from '#web/lib/search-path.ts'

/** Something to go to from the box: words to look for, a document or an article. */
export interface Row extends Suggestion {
  from: 'recent' | 'hot' | 'typed'
  to: string
}

export function typedRows(suggestions: readonly Suggestion[], type: 0 | 1): Row[] {
  return suggestions.map((one) => ({
    ...one,
    from: 'typed',
    to: one.uuid === '' ? searchPath(one.text, type) : openPath(one.uuid, type),
  }))
}

/** For an empty box: one's own words, and what others look for. */
export function startRows(recent: readonly string[], hot: readonly string[], type: 0 | 1): Row[] {
  const row = (from: 'recent' | 'hot') => (text: string) => {
    return { text, ranges: [], uuid: '', ext: '', from, to: searchPath(text, type) }
  }
  return [...recent.map(row('recent')), ...hot.filter((word) => !recent.includes(word)).map(row('hot'))]
}

function openPath(uuid: string, type: 0 | 1): string {
  return type === 1 ? articlePath({ identifier: uuid }) : documentPath({ uuid })
}
