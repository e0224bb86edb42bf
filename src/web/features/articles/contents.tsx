import { List } from 'lucide-react'
import { Suspense, useRef } from 'react'
import { Link } from 'react-router'
import type { Heading } from '#web/features/articles/body/prepare-html.ts'
import { cx } from '#web/ui/class-names.ts'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { useOpenOnThisPage } from '#web/ui/overlay/open-on-this-page.ts'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const Drawer = lazyOverlay(async () => (await import('#web/ui/overlay/dialog.tsx')).Drawer)

interface ContentsProps {
  headings: readonly Heading[]
  /** The id of the heading above the text that is being read. */
  active: string
}

/** The table of contents beside the article. */
export function Contents({ headings, active }: ContentsProps) {
  return (
    <nav aria-label="目录" className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-2 text-base">目录</h2>
      <Entries headings={headings} active={active} onFollow={focusHeading} />
    </nav>
  )
}

/** The table of contents of small screens, in a sheet. */
export function ContentsSheet({ headings, active }: ContentsProps) {
  const [open, setOpen] = useOpenOnThisPage()
  const isMounted = useLazyMount(open)
  const followedId = useRef('')
  const show = () => {
    followedId.current = ''
    setOpen(true)
  }
  return (
    <>
      <button
        type="button"
        aria-label="目录"
        title="目录"
        aria-haspopup="dialog"
        onClick={show}
        className="fixed right-3 bottom-18 md:right-17 md:bottom-6 z-30 flex size-10 items-center justify-center rounded-md border border-line bg-surface text-muted hover:text-accent lg:hidden print:hidden"
      >
        <List size={18} aria-hidden />
      </button>
      {isMounted && (
        <Suspense>
          <Drawer
            open={open}
            onOpenChange={setOpen}
            title="目录"
            onClosed={() => focusHeading(followedId.current)}
            className="top-auto right-0 max-h-[75dvh] animate-rise! rounded-t-lg"
          >
            <div className="px-3 pb-6">
              <Entries
                headings={headings}
                active={active}
                onFollow={(id) => {
                  followedId.current = id
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

/** Without scrolling: the link scrolls smoothly. */
function focusHeading(id: string): void {
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
