import { PageReader, type ReaderProps } from '#web/features/documents/reader/page-reader.tsx'

/** A document, in the view that the reader chose. */
export function Reader(props: ReaderProps) {
  return <PageReader {...props} tools={null} />
}
