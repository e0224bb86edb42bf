import type { DocumentStatus } from '#shared/document-status.ts'
import type { ReplacementStatus, Visibility } from '#shared/enums.ts'
import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface DocumentTables {
  document: DocumentTable
  document_category: { document_id: number; category_id: number }
  document_group: { document_id: number; group_id: number }
  /** Public documents with the content of an earlier one, which lists show in their place. */
  document_copy: { document_id: number; first_id: number }
  document_share: DocumentShareTable
  document_score: DocumentScoreTable
  document_replacement: DocumentReplacementTable
  document_relate: { document_id: number; related: string; updated_at: number }
  /** What happened to a document on a day of the site, `yyyymmdd`. */
  document_day: DocumentDayTable
  rendition: RenditionTable
  download: DownloadTable
}

interface DocumentDayTable {
  day: number
  document_id: number
  reads: Defaulted<number>
  downloads: Defaulted<number>
  /** Favorites of that day that still are. */
  favorites: Defaulted<number>
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
  /** Keywords that its text gave, and how many documents the text was compared with for them; 0 for not yet. */
  text_keywords: Defaulted<string>
  keywords_compared: Defaulted<number>
  description: Defaulted<string>
  /** Text that the owner entered in place of the extracted text. */
  content: Defaulted<string>
  language: Defaulted<string>
  price: Defaulted<number>
  /** VIP members take it free within their card's number. */
  is_vip: Defaulted<Bit>
  status: DocumentStatus
  reject_reason: Defaulted<string>
  /** Which viewers may know of it, once its status is public. */
  visibility: Defaulted<Visibility>
  /** Otherwise it can only be read online; its owner and the staff download it all the same. */
  downloadable: Defaulted<Bit>
  /** Where it was taken from; empty if it was uploaded. */
  source_name: Defaulted<string>
  source_url: Defaulted<string>
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

/** Without `content`, which may be long. */
export const documentColumns = [
  'id',
  'uuid',
  'user_id',
  'attachment_id',
  'hash',
  'ext',
  'size',
  'title',
  'keywords',
  'description',
  'language',
  'price',
  'is_vip',
  'status',
  'reject_reason',
  'visibility',
  'downloadable',
  'source_name',
  'source_url',
  'pages',
  'width',
  'height',
  'view_count',
  'download_count',
  'favorite_count',
  'comment_count',
  'score',
  'score_count',
  'recommend_at',
  'deleted_at',
  'deleted_user_id',
  'created_at',
  'updated_at',
] as const satisfies (keyof DocumentTable)[]

/** A link that opens a document whose visibility is `Link`. */
interface DocumentShareTable extends Stamps {
  id: Id
  document_id: number
  /** The member who made it. */
  user_id: number
  /** 128 random bits. */
  token: string
  /** A hash; empty for none. */
  password: Defaulted<string>
  /** Null for never; also set when its maker ends it. */
  ends_at: number | null
  /** Null for any number. */
  downloads_left: number | null
  download_count: Defaulted<number>
}

interface DocumentScoreTable extends Stamps {
  id: Id
  document_id: number
  user_id: number
  score: number
}

/** A file that takes the place of a document's file, once it is approved and converted. */
interface DocumentReplacementTable extends Stamps {
  id: Id
  document_id: number
  /** The member who has uploaded it. */
  user_id: number
  status: ReplacementStatus
  attachment_id: number
  hash: string
  name: string
  ext: string
  size: number
  /** The file that it has replaced; the name is empty until then. */
  former_name: Defaulted<string>
  former_ext: Defaulted<string>
  former_size: Defaulted<number>
  /** 0 for none. */
  reviewer_id: Defaulted<number>
  /** What the reviewer has written, or a FailureReason. */
  reason: Defaulted<string>
  ended_at: number | null
}

/** The converted form of one content, shared by all documents that have it. */
interface RenditionTable extends Stamps {
  hash: string
  ext: string
  state: 'waiting' | 'working' | 'done' | 'failed'
  /** The conversion that holds it; one that takes it over writes its own. */
  lease_id: Defaulted<string>
  /** Changes with each conversion: part of the view keys, so that caches are invalidated. */
  revision: Defaulted<number>
  /** What pages are rendered from: pdf, epub or mobi. */
  source_type: Defaulted<string>
  /** Pages are rendered from a file derived from the upload, not from the upload itself. */
  is_derived: Defaulted<Bit>
  pages: Defaulted<number>
  /** An early preview: only the first pages exist yet, and no document has them in its own columns. */
  is_partial: Defaulted<Bit>
  width: Defaulted<number>
  height: Defaulted<number>
  /** Pages whose text is extracted. */
  text_pages: Defaulted<number>
  /** The first 8192 characters of the text. */
  excerpt: Defaulted<string>
  has_cover: Defaulted<Bit>
  /** The main colour of the cover as #rrggbb; empty for one without colours. */
  cover_tint: Defaulted<string>
  /** What its pages leave empty at each edge (`page-margins.ts`); empty if not known. */
  margins: Defaulted<string>
  /** A FailureReason, or empty. */
  reason: Defaulted<string>
  /** Output of the converters, for administrators. */
  detail: Defaulted<string>
}

interface DownloadTable extends Stamps {
  id: Id
  user_id: number
  document_id: number
  ip: string
  is_pay: Bit
  price: Defaulted<number>
  /** The card that it was free with; 0 for none. */
  user_vip_id: Defaulted<number>
}
