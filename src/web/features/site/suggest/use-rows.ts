import { useEffect, useMemo, useState } from 'react'
import { searches, type Suggestion } from '#shared/contract/search.ts'
import { useRecentWords } from '#web/features/site/suggest/recent-words.ts'
import { startRows, typedRows, type Row } from '#web/features/site/suggest/rows.ts'
import { api } from '#web/lib/api.ts'

const patienceMs = 120

interface Asked {
  text: string
  type: 0 | 1
  /** Whether anybody looks at them. */
  isWanted: boolean
}

/** What to show below the box for what stands in it. */
export function useRows({ text, type, isWanted }: Asked): Row[] {
  const words = text.trim()
  const answer = useAnswer({ words, type, isWanted: isWanted && words !== '' })
  const recent = useRecentWords()
  const hot = useHotWords(isWanted && words === '')
  const start = useMemo(() => startRows(recent, hot, type), [recent, hot, type])
  const typed = useMemo(() => typedRows(answer, type), [answer, type])
  return words === '' ? start : typed
}

const nothing: Suggestion[] = []

/** Asks when the typing rests. An answer that comes when something else has been typed is not listened to. */
function useAnswer({ words, type, isWanted }: { words: string; type: 0 | 1; isWanted: boolean }): Suggestion[] {
  const [answer, setAnswer] = useState({ words: '', suggestion: nothing })
  useEffect(() => {
    if (!isWanted) return undefined
    let isLate = false
    const ask = async () => {
      const { suggestion } = await api(searches.suggest, { wd: words, type }).catch(() => ({ suggestion: nothing }))
      // Asked again and answered the same, the list stays as it is, with whatever row one has come to.
      const isNews = (before: Suggestion[]) => JSON.stringify(before) !== JSON.stringify(suggestion)
      if (!isLate) setAnswer((last) => ({ words, suggestion: isNews(last.suggestion) ? suggestion : last.suggestion }))
    }
    const timer = setTimeout(() => void ask(), patienceMs)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [words, type, isWanted])
  // Until it is answered, what was suggested for a little more or less of the same is worth showing.
  const isAkin = answer.words !== '' && (words.startsWith(answer.words) || answer.words.startsWith(words))
  return isAkin ? answer.suggestion : nothing
}

function useHotWords(isWanted: boolean): string[] {
  const [hot, setHot] = useState<string[]>([])
  useEffect(() => {
    if (!isWanted) return undefined
    let isLate = false
    void hotWords().then((words) => !isLate && setHot(words))
    return () => {
      isLate = true
    }
  }, [isWanted])
  return hot
}

let hotOnce: Promise<string[]> | undefined

/** They change slowly: asked once for as long as the page is open. */
function hotWords(): Promise<string[]> {
  hotOnce ??= api(searches.hot).then(
    ({ word }) => word,
    () => {
      hotOnce = undefined
      return []
    },
  )
  return hotOnce
}
