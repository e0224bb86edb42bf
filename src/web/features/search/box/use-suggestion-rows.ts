import { useMemo } from 'react'
import { searches, type Suggestion } from '#shared/contract/search.ts'
import type { ContentType } from '#shared/enums.ts'
import { useRecentSearches } from '#web/features/search/box/recent-searches.ts'
import { startRows, type SuggestionRow, typedRows } from '#web/features/search/box/suggestion-rows.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

const debounceMs = 120

interface SuggestionOptions {
  text: string
  type: ContentType
  isOpen: boolean
}

/** The rows below the search box for the text in it. */
export function useSuggestionRows({ text, type, isOpen }: SuggestionOptions): SuggestionRow[] {
  const words = text.trim()
  const suggestions = useSuggestions({ words, type, isOpen })
  const recent = useRecentSearches(type)
  const hot = useQuery(`hot ${type}`, () => loadHotWords(type), { enabled: isOpen && words === '' }).data ?? noWords
  const start = useMemo(() => startRows(recent, hot, type), [recent, hot, type])
  // By value: the same suggestions again must not reset the selected row.
  const json = JSON.stringify(suggestions)
  const typed = useMemo(() => typedRows(JSON.parse(json) as Suggestion[], type), [json, type])
  return words === '' ? start : typed
}

function useSuggestions({ words, type, isOpen }: { words: string; type: ContentType; isOpen: boolean }): Suggestion[] {
  const { data } = useQuery(
    `${type} ${words}`,
    async () => ({ words, ...(await api(searches.suggest, { wd: words, type })) }),
    { enabled: isOpen && words !== '', debounceMs },
  )
  // Until the response arrives, the suggestions for a longer or shorter version of the same words are shown.
  const isRelated = data !== undefined && (words.startsWith(data.words) || data.words.startsWith(words))
  return isRelated ? data.suggestion : []
}

const noWords: string[] = []
const cached = new Map<ContentType, Promise<string[]>>()

/** They change slowly: loaded once while the page is open. */
function loadHotWords(type: ContentType): Promise<string[]> {
  const known = cached.get(type)
  if (known) return known
  const words = api(searches.hot, { type }).then(
    ({ word }) => word,
    () => {
      cached.delete(type)
      return []
    },
  )
  cached.set(type, words)
  return words
}
