import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface DocumentTables {
  document: DocumentTable
  document_category: { document_id: number; category_id: number }
  document_score: DocumentScoreTable
  document_relate: { document_id: number; related: string; updated_at: number }
  rendition: RenditionTable
  download: DownloadTable
}

interface DocumentTable extends Stamps {
  id: Id
  uuid: string
  user_id: number
  attachment_id: number
  /** SHA-256 of the file: documents with the same content share one rendition. */
  hash: string
  ext: string
  size: number
  title: string
  keywords: Defaulted<string>
  description: Defaulted<string>
  /** Text its owner has given in place of what was read from the pages. */
  content: Defaulted<string>
  language: Defaulted<string>
  price: Defaulted<number>
  status: number
  reject_reason: Defaulted<string>
  /** Copied from the rendition, so that lists need no join. */
  pages: Defaulted<number>
  width: Defaulted<number>
  height: Defaulted<number>
  view_count: Defaulted<number>
  download_count: Defaulted<number>
  favorite_count: Defaulted<number>
  comment_count: Defaulted<number>
  score: Defaulted<number>
  score_count: Defaulted<number>
  recommend_at: number | null
  deleted_at: number | null
  deleted_user_id: Defaulted<number>
}

interface DocumentScoreTable extends Stamps {
  id: Id
  document_id: number
  user_id: number
  score: number
}

/** What the converter made of one content. */
interface RenditionTable extends Stamps {
  hash: string
  ext: string
  state: 'waiting' | 'working' | 'done' | 'failed'
  /** Which of those who may be working on it has taken it up last. */
  run: Defaulted<string>
  /** Changes with each conversion: part of the view keys, so that caches are renewed. */
  revision: Defaulted<number>
  /** What the renderer opens: pdf, epub or mobi. */
  type: Defaulted<string>
  /** The renderer opens a file that was made from the source, not the source itself. */
  made: Defaulted<Bit>
  pages: Defaulted<number>
  /** Only the first pages are there yet, for who looks while it is being converted: no document has these as its own. */
  partial: Defaulted<Bit>
  width: Defaulted<number>
  height: Defaulted<number>
  /** Pages whose text has been read. */
  read_pages: Defaulted<number>
  /** The first 8192 characters of the text. */
  excerpt: Defaulted<string>
  has_cover: Defaulted<Bit>
  /** A FailureReason, or empty. */
  reason: Defaulted<string>
  /** What the programs said: for administrators. */
  detail: Defaulted<string>
}

interface DownloadTable extends Stamps {
  id: Id
  user_id: number
  document_id: number
  ip: string
  is_pay: Bit
  price: Defaulted<number>
}
