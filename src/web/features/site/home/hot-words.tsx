import { Link } from 'react-router'
import { searchPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

interface HotWordsProps {
  /** Popular searches. */
  words: string[]
  variant: keyof typeof variants
}

/** The owner's words, or else popular searches. */
export function HotWords({ words, variant }: HotWordsProps) {
  const { recommend_words } = useSite().settings.system
  const shown = recommend_words.length > 0 ? recommend_words : words
  if (shown.length === 0) return null
  const { max, list, title, link } = variants[variant]
  return (
    <ul aria-label="热门搜索" className={cx('mt-4 flex flex-wrap items-center gap-y-1.5 text-sm', list)}>
      <li aria-hidden className={title}>
        热门搜索
      </li>
      {shown.slice(0, max).map((word) => (
        <li key={word} className="min-w-0">
          <Link to={searchPath(word)} className={cx('block truncate', link)}>
            {word}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** `tags` have a background: banners may be light or dark. */
const variants = {
  links: { max: 20, list: 'gap-x-4', title: 'text-muted', link: 'text-accent hover:underline' },
  tags: {
    max: 8,
    // A phone shows five.
    list: 'justify-center gap-x-2 [&>li:nth-child(n+7)]:max-md:hidden',
    title: 'hidden',
    link: 'max-w-36 rounded-full bg-surface/95 px-3 py-1 text-ink hover:text-accent',
  },
}
