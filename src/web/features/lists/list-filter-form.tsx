import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { toQuery, hasFilters, customDates, periods, type ListFilters } from '#web/features/lists/list-filters.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

interface ListFilterFormProps {
  filters: ListFilters
  /** The path of the whole list. */
  path: string
  /** What is searched. */
  words?: string | undefined
  /** Without them there is no filter by status. */
  statuses?: Record<string, { title: string }>
}

/** Filters a list by words, status and time. Works without scripts as a GET form. */
export function ListFilterForm({ filters, path, words = '标题或关键字', statuses }: ListFilterFormProps) {
  const navigate = useNavigate()
  const { entries, enter, setRequested } = useEntries(filters)
  const { wd, status, time, from, to } = entries
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = toQuery(readForm(new FormData(event.currentTarget)))
    setRequested(next)
    void navigate(next, { preventScrollReset: true })
  }
  return (
    <search>
      <form action={path} onSubmit={search} className="mb-2 flex flex-wrap gap-2">
        <input
          type="search"
          name="wd"
          value={wd}
          onChange={(event) => enter({ wd: event.target.value })}
          aria-label={words}
          placeholder={words}
          maxLength={100}
          className={`${controlClass} min-w-0 flex-1 basis-40 max-sm:basis-full`}
        />
        {statuses && (
          <select
            name="status"
            value={status}
            onChange={({ target }) => {
              enter({ status: target.value })
              target.form?.requestSubmit()
            }}
            aria-label="状态"
            className={choiceClass}
          >
            <option value="">全部状态</option>
            {Object.entries(statuses).map(([key, { title }]) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </select>
        )}
        <select
          name="time"
          value={time}
          onChange={({ target }) => {
            enter({ time: target.value })
            if (target.value !== customDates) target.form?.requestSubmit()
          }}
          aria-label="时间"
          className={choiceClass}
        >
          <option value="">全部时间</option>
          {Object.entries(periods).map(([key, { title }]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
          <option value={customDates}>自选日期</option>
        </select>
        {time === customDates && (
          <span className="flex flex-wrap items-center gap-2 text-sm text-muted">
            <input
              type="date"
              name="from"
              value={from}
              onChange={(event) => enter({ from: event.target.value })}
              aria-label="从哪天"
              className={controlClass}
            />
            至
            <input
              type="date"
              name="to"
              value={to}
              onChange={(event) => enter({ to: event.target.value })}
              aria-label="到哪天"
              className={controlClass}
            />
          </span>
        )}
        <Button type="submit">
          <Search size={16} aria-hidden />
          查找
        </Button>
        {hasFilters(filters) && (
          <ButtonLink to={path} variant="quiet">
            清除
          </ButtonLink>
        )}
      </form>
    </search>
  )
}

const controlClass = 'h-10 rounded-md border border-edge bg-surface px-3 text-sm text-ink'
const choiceClass = `${controlClass} max-sm:min-w-0 max-sm:flex-1`

/** The form keeps its entries while its own request is loading; after any other navigation it shows that address. */
function useEntries(filters: ListFilters) {
  const query = toQuery(filters)
  const [entries, setEntries] = useState(() => toEntries(filters))
  const [shown, setShown] = useState(query)
  const [requested, setRequested] = useState(query)
  if (shown !== query) {
    setShown(query)
    setRequested(query)
    if (requested !== query) setEntries(toEntries(filters))
  }
  const enter = (change: Partial<ListFilters>) => setEntries((before) => ({ ...before, ...change }))
  return { entries, enter, setRequested }
}

function toEntries(filters: ListFilters): ListFilters {
  const hasDates = filters.from !== '' || filters.to !== ''
  return hasDates ? { ...filters, time: customDates } : filters
}

function readForm(form: FormData): Partial<ListFilters> {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const time = text('time')
  const dates = time === customDates ? { from: text('from'), to: text('to') } : {}
  return { wd: text('wd'), status: text('status'), time, ...dates }
}
