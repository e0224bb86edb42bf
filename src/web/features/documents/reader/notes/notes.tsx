import { Suspense, useEffect, useState, type RefObject } from 'react'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

const NotesLayer = lazyPart(
  async () => (await import('#web/features/documents/reader/notes/notes-layer.tsx')).NotesLayer,
  QuietFailure,
)

export interface NotesProps {
  id: number
  /** The column of pages. */
  column: RefObject<HTMLElement | null>
  current: number
}

/** Highlights, notes and bookmarks on the pages. Visitors load them when they select text. */
export function Notes(props: NotesProps) {
  const isMember = isSignedIn(useSession())
  const [isWanted, setIsWanted] = useState(false)
  const { column } = props
  useEffect(() => {
    const pages = column.current
    const want = () => setIsWanted(true)
    pages?.addEventListener('selectstart', want, { once: true })
    return () => pages?.removeEventListener('selectstart', want)
  }, [column])
  return (
    (isMember || isWanted) && (
      <Suspense>
        <NotesLayer {...props} />
      </Suspense>
    )
  )
}
