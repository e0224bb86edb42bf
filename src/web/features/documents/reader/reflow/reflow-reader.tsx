import type { ReactNode } from 'react'
import type { ReaderProps } from '#web/features/documents/reader/page-reader.tsx'
import type { PlaceRef } from '#web/features/documents/reader/view/place.ts'

interface ReflowReaderProps extends ReaderProps {
  place: PlaceRef
  /** Buttons of the toolbar that do not concern the text. */
  tools: ReactNode
}

/** The text of a document in one column, set as the reader likes it. */
export function ReflowReader({ tools, children }: ReflowReaderProps) {
  return (
    <section aria-label="文档正文">
      {tools}
      {children}
    </section>
  )
}
