import type { HighlightColor, Visibility } from '#shared/enums.ts'
import type { Defaulted, Id, Stamps } from './column.ts'

export interface ReadingTables {
  reading_progress: ReadingProgressTable
  /** Members whose places are not recorded. */
  reading_pause: { user_id: number; created_at: number }
  bookmark: BookmarkTable
  annotation: AnnotationTable
}

/** `document_title` is what the member last saw: it stays when the document is hidden from them. */
interface OfDocument extends Stamps {
  id: Id
  user_id: number
  document_id: number
  document_title: string
  page: number
}

interface ReadingProgressTable extends OfDocument {
  /** How much of the page lies above the screen, in thousandths. */
  page_offset: Defaulted<number>
  furthest_page: number
  finished_at: Defaulted<number | null>
  /** When the member was there, by the clock of their device: the latest place counts, whenever it arrives. */
  read_at: number
}

interface BookmarkTable extends OfDocument {
  label: Defaulted<string>
}

/** A highlight, with or without a note. */
interface AnnotationTable extends OfDocument {
  /** The marked range: lines of the page's text layer, and positions in them. */
  start_line: number
  start_char: number
  end_line: number
  end_char: number
  /** The marked text, by which it is found again when a new conversion has other lines. */
  quote: string
  color: HighlightColor
  note: Defaulted<string>
  visibility: Visibility
}
