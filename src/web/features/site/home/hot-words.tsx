import { Link } from 'react-router'
import { searchPath } from '#web/lib/search-path.ts'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'

interface HotWordsProps {
  /** What people look for. */
  words: string[]
  look: keyof typeof looks
}

/** The owner's choice, or what people look for. */
export function HotWords({ words, look }: HotWordsProps) {
  const { recommend_words } = useSite().settings.system
  const shown = recommend_words.length > 0 ? recommend_words : words
  if (shown.length === 0) return null
  const { most, list, title, word } = looks[look]
  return (
    <ul aria-label="热门搜索" className={cx('mt-4 flex flex-wrap items-center gap-y-1.5 text-sm', list)}>
      <li aria-hidden className={title}>
        热门搜索
      </li>
      {shown.slice(0, most).map((one) => (
        <li key={one} className="min-w-0">
          <Link to={searchPath(one)} className={cx('block truncate', word)}>
            {one}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** On paper, and on pictures of which nobody knows how bright they are. */
const looks = {
  links: { most: 20, list: 'gap-x-4', title: 'text-muted', word: 'text-accent hover:underline' },
  tags: {
    most: 8,
    // A phone has room for five of them.
    list: 'justify-center gap-x-2 [&>li:nth-child(n+7)]:max-md:hidden',
    title: 'hidden',
    word: 'max-w-36 rounded-full bg-surface/95 px-3 py-1 text-ink hover:text-accent',
  },
}
