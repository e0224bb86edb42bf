import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { addressOf, isNarrowed, ownDays, periods, type Narrowing } from '#web/features/users/narrowing.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

interface NarrowingFormProps {
  narrowing: Narrowing
  /** Where the whole list is. */
  address: string
  /** What can be told apart by its state; none where everything is in the same. */
  statuses?: Record<string, { title: string }>
}

/** Looks among what somebody has made: by words, state and time. Before the scripts have come, it is sent as any form is. */
export function NarrowingForm({ narrowing, address, statuses }: NarrowingFormProps) {
  const navigate = useNavigate()
  const { entries, enter, setAsked } = useEntries(narrowing)
  const { wd, status, time, from, to } = entries
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = addressOf(entered(new FormData(event.currentTarget)))
    setAsked(next)
    void navigate(next, { preventScrollReset: true })
  }
  return (
    <search>
      <form action={address} onSubmit={search} className="mb-2 flex flex-wrap gap-2">
        <input
          type="search"
          name="wd"
          value={wd}
          onChange={(event) => enter({ wd: event.target.value })}
          aria-label="标题或关键字"
          placeholder="标题或关键字"
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
            if (target.value !== ownDays) target.form?.requestSubmit()
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
          <option value={ownDays}>自选日期</option>
        </select>
        {time === ownDays && (
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
        {isNarrowed(narrowing) && (
          <ButtonLink to={address} look="quiet">
            清除
          </ButtonLink>
        )}
      </form>
    </search>
  )
}

const controlClass = 'h-10 rounded-md border border-edge bg-surface px-3 text-sm text-ink'
const choiceClass = `${controlClass} max-sm:min-w-0 max-sm:flex-1`

/** What is entered stays while it is looked for, and with it the focus; where another address leads, it follows. */
function useEntries(narrowing: Narrowing) {
  const address = addressOf(narrowing)
  const [entries, setEntries] = useState(() => entriesOf(narrowing))
  const [shown, setShown] = useState(address)
  const [asked, setAsked] = useState(address)
  if (shown !== address) {
    setShown(address)
    setAsked(address)
    if (asked !== address) setEntries(entriesOf(narrowing))
  }
  const enter = (change: Partial<Narrowing>) => setEntries((before) => ({ ...before, ...change }))
  return { entries, enter, setAsked }
}

function entriesOf(narrowing: Narrowing): Narrowing {
  const hasDays = narrowing.from !== '' || narrowing.to !== ''
  return hasDays ? { ...narrowing, time: ownDays } : narrowing
}

function entered(form: FormData): Partial<Narrowing> {
  const given = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const time = given('time')
  const days = time === ownDays ? { from: given('from'), to: given('to') } : {}
  return { wd: given('wd'), status: given('status'), time, ...days }
}
