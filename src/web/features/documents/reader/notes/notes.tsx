import { Suspense, type RefObject } from 'react'
import { useNotesWanted } from '#web/features/documents/reader/notes/use-notes-wanted.ts'
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

/** Highlights, notes and bookmarks on the pages. */
export function Notes(props: NotesProps) {
  return (
    useNotesWanted(props.column) && (
      <Suspense>
        <NotesLayer {...props} />
      </Suspense>
    )
  )
}
