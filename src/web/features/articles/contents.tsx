import { List } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Heading } from '#web/features/articles/body/ready-html.ts'
import { cx } from '#web/ui/class-names.ts'
import { useOpenHere } from '#web/ui/open-here.ts'

const Drawer = lazy(async () => ({ default: (await import('#web/ui/dialog.tsx')).Drawer }))

interface ContentsProps {
  headings: readonly Heading[]
  /** The heading one is reading below. */
  active: string
}

/** What the article is about, part by part, beside it. */
export function Contents({ headings, active }: ContentsProps) {
  return (
    <nav aria-label="目录" className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-2 text-base">目录</h2>
      <Entries headings={headings} active={active} onFollow={focusPart} />
    </nav>
  )
}

/** The same from the lower edge of a small screen. */
export function ContentsSheet({ headings, active }: ContentsProps) {
  const [open, turn] = useOpenHere()
  const [isWanted, setIsWanted] = useState(false)
  const followed = useRef('')
  const show = () => {
    followed.current = ''
    setIsWanted(true)
    turn(true)
  }
  return (
    <>
      <button
        type="button"
        aria-label="目录"
        title="目录"
        aria-haspopup="dialog"
        onClick={show}
        className="fixed right-3 bottom-18 z-30 flex size-10 items-center justify-center rounded-md border border-line bg-surface text-muted hover:text-accent lg:hidden print:hidden"
      >
        <List size={18} aria-hidden />
      </button>
      {isWanted && (
        <Suspense>
          <Drawer
            open={open}
            onOpenChange={turn}
            title="目录"
            onClosed={() => focusPart(followed.current)}
            className="top-auto right-0 max-h-[75dvh] animate-rise! rounded-t-lg"
          >
            <div className="px-3 pb-6">
              <Entries
                headings={headings}
                active={active}
                onFollow={(id) => {
                  followed.current = id
                }}
                isWide
              />
            </div>
          </Drawer>
        </Suspense>
      )}
    </>
  )
}

/** The focus goes where the link leads, without hurrying the scrolling. */
function focusPart(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true })
}

interface EntriesProps extends ContentsProps {
  onFollow: (id: string) => void
  isWide?: boolean
}

function Entries({ headings, active, onFollow, isWide = false }: EntriesProps) {
  return (
    <ol className="text-sm">
      {headings.map(({ id, text, level }) => (
        <li key={id}>
          <Link
            to={`#${encodeURIComponent(id)}`}
            replace
            onClick={() => onFollow(id)}
            aria-current={id === active ? 'location' : undefined}
            className={cx(
              'block border-l-2 pr-1 focus-visible:-outline-offset-2',
              isWide ? 'py-2.5' : 'py-1.5',
              level === 2 ? 'pl-3' : 'pl-7',
              id === active ? 'border-accent font-medium text-accent' : 'border-line text-muted hover:text-ink',
            )}
          >
            {text}
          </Link>
        </li>
      ))}
    </ol>
  )
}
