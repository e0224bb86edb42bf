import { useState, type FormEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { parsePage, Pagination } from '#web/ui/navigation/pagination.tsx'

const manyPages = 7

/** The pages of a list; where there are many, with an input for the page number. */
export function Pager({ total, size }: { total: number; size: number }) {
  const pages = Math.ceil(total / size)
  if (pages < 2) return null
  return (
    <div className="mt-8 flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
      <Pagination total={total} size={size} />
      {pages > manyPages && <PageJump pages={pages} />}
    </div>
  )
}

function PageJump({ pages }: { pages: number }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const goToPage = (event: FormEvent) => {
    event.preventDefault()
    const page = Math.min(parsePage(new URLSearchParams({ page: typed })), pages)
    setTyped('')
    if (!/^\d+$/.test(typed)) return
    const next = new URLSearchParams(query)
    next.set('page', String(page))
    void navigate(`?${next}`, { preventScrollReset: true })
  }
  return (
    <form onSubmit={goToPage} className="flex items-center gap-2 text-sm text-muted">
      <label htmlFor="page-jump">跳至</label>
      <input
        id="page-jump"
        value={typed}
        onChange={(event) => setTyped(event.target.value.trim())}
        inputMode="numeric"
        enterKeyHint="go"
        maxLength={6}
        placeholder={String(pages)}
        className="h-9 w-16 rounded-md border border-edge bg-surface px-2 text-center text-ink tabular-nums"
      />
      <span>页</span>
    </form>
  )
}
