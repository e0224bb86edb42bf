import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { cx } from '#web/ui/class-names.ts'

type Size = 'md' | 'lg'

/** Looks for articles among the articles, for documents everywhere else. */
export function SearchBox({ size = 'md', words = '', type }: { size?: Size; words?: string; type?: 0 | 1 }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [text, setText] = useState(words)
  const kind = type ?? (isArticlePath(pathname) ? 1 : 0)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    void navigate(`/search?${new URLSearchParams({ wd: text.trim(), type: String(kind) })}`)
  }
  const large = size === 'lg'
  return (
    <search className="block w-full">
      <form action="/search" onSubmit={onSubmit} className="relative">
        <input type="hidden" name="type" value={kind} />
        <input
          type="search"
          name="wd"
          value={text}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          aria-label={kind === 1 ? '搜索文章' : '搜索文档'}
          placeholder={kind === 1 ? '搜索文章' : '搜索文档'}
          onChange={(event) => setText(event.target.value)}
          className={cx(
            'w-full appearance-none rounded-md border bg-surface text-ink transition-colors placeholder:text-muted focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent',
            large
              ? 'h-14 border-edge pr-16 pl-5 text-base shadow-soft md:text-lg'
              : 'h-10 border-line pr-10 pl-3.5 text-sm hover:border-edge',
          )}
        />
        <button
          type="submit"
          aria-label="搜索"
          className={cx(
            'absolute inset-y-0 right-0 flex items-center justify-center rounded-md',
            large ? 'm-1.5 w-12 bg-accent text-on-accent hover:bg-accent-hover' : 'w-10 text-muted hover:text-accent',
          )}
        >
          <Search size={large ? 20 : 16} aria-hidden />
        </button>
      </form>
    </search>
  )
}

function isArticlePath(pathname: string): boolean {
  return pathname === '/article' || pathname.startsWith('/article/') || pathname === '/post'
}
