import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { standings } from '#web/features/documents/browse/status-words.ts'
import { Button } from '#web/ui/button.tsx'

export interface OwnQuery {
  wd: string
  standing: string
}

/** Looks among one's own documents; what is looked for stands in the address. */
export function OwnFilters({ query }: { query: OwnQuery }) {
  const navigate = useNavigate()
  const [words, setWords] = useState(query.wd)
  const show = (change: Partial<OwnQuery>) => {
    const { wd, standing } = { ...query, ...change }
    const pairs = Object.entries({ wd, status: standing }).filter(([, value]) => value !== '')
    void navigate(`?${new URLSearchParams(pairs)}`)
  }
  const search = (event: FormEvent) => {
    event.preventDefault()
    show({ wd: words.trim() })
  }
  return (
    <search>
      <form onSubmit={search} className="mb-2 flex flex-wrap gap-2">
        <input
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          aria-label="标题或关键字"
          placeholder="标题或关键字"
          maxLength={100}
          className={`${controlClass} min-w-0 flex-1 basis-40`}
        />
        <select
          value={query.standing}
          onChange={(event) => show({ wd: words.trim(), standing: event.target.value })}
          aria-label="状态"
          className={controlClass}
        >
          <option value="">全部状态</option>
          {Object.entries(standings).map(([standing, { title }]) => (
            <option key={standing} value={standing}>
              {title}
            </option>
          ))}
        </select>
        <Button type="submit">
          <Search size={16} aria-hidden />
          查找
        </Button>
      </form>
    </search>
  )
}

const controlClass = 'h-10 rounded-md border border-edge bg-surface px-3 text-sm text-ink'
