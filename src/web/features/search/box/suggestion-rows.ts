import { ContentType } from '#shared/enums.ts'
import type { Suggestion } from '#shared/contract/search.ts'
import { articlePath, documentPath, searchPath } from '#web/domain/paths.ts'

/** A search, a document or an article to open from the search box. */
export interface SuggestionRow extends Suggestion {
  from: 'recent' | 'hot' | 'typed'
  to: string
}

export function typedRows(suggestions: readonly Suggestion[], type: ContentType): SuggestionRow[] {
  return suggestions.map((suggestion) => ({
    ...suggestion,
    from: 'typed',
    to: suggestion.uuid === '' ? searchPath(suggestion.text, type) : contentPath(suggestion.uuid, type),
  }))
}

/** For an empty box: the visitor's recent searches, then popular ones. */
export function startRows(recent: readonly string[], hot: readonly string[], type: ContentType): SuggestionRow[] {
  const row = (from: 'recent' | 'hot') => (text: string) => {
    return { text, ranges: [], uuid: '', ext: '', from, to: searchPath(text, type) }
  }
  return [...recent.map(row('recent')), ...hot.filter((word) => !recent.includes(word)).map(row('hot'))]
}

function contentPath(uuid: string, type: ContentType): string {
  return type === ContentType.Article ? articlePath({ identifier: uuid }) : documentPath({ uuid })
}
