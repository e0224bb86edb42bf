import { contentTypeLabels } from '#shared/enums.ts'
import { Link } from 'react-router'
import type { ReactNode } from 'react'
import { countLabel } from '#web/features/search/hits.ts'
import type { SearchHits } from '#web/features/search/load-search.ts'
import { searchUrl, type SearchQuery } from '#web/features/search/search-query.ts'

type Answer = Pick<SearchHits, 'step' | 'exact' | 'suggestion' | 'used'>

/** Says what the results are, where they are not what was typed. */
export function StepNote({ query, answer }: { query: SearchQuery; answer: Answer }) {
  const text = describe(query, answer)
  return (
    <output className="mt-3 block rounded-md bg-sunken px-3 py-2 text-sm wrap-anywhere empty:hidden">{text}</output>
  )
}

/** The words that the results really have. */
function contained(used: readonly string[]): string {
  return used.length > 0 ? `只包含：${used.join('、')}` : '包含其中大部分词。'
}

function describe(query: SearchQuery, { step, exact, suggestion, used }: Answer): ReactNode {
  const { words, type } = query
  const label = contentTypeLabels[type]
  const link = suggestion !== '' && (
    <>
      您是不是要找
      <Link
        to={searchUrl(query, { words: suggestion })}
        className="inline-block px-1 font-medium text-accent hover:underline"
      >
        {suggestion}
      </Link>
      ？
    </>
  )
  switch (step) {
    case 'most':
      return exact > 0
        ? `只有 ${countLabel({ total: exact, more: false, type })}完整包含“${words}”，其后的结果${contained(used)}`
        : `没有同时包含“${words}”的${label}，以下结果${contained(used)}`
    case 'pinyin':
      return (
        <>
          没有包含“{words}”的{label}，以下按拼音匹配标题。{link}
        </>
      )
    case 'similar':
      return (
        <>
          没有包含“{words}”的{label}。{link}以下是它的结果。
        </>
      )
    case 'all':
    case '':
      return null
    default:
      return null
  }
}
