import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface AttachmentTables {
  attachment: AttachmentTable
  stored_file: StoredFileTable
  upload: UploadTable
}

/** One row for each upload; many may share one stored file. */
interface AttachmentTable extends Stamps {
  id: Id
  /** SHA-256 of the content. */
  hash: string
  user_id: number
  /** See attachmentType. */
  type: number
  /** The document, user, article … that uses it; 0 while nobody does. */
  type_id: Defaulted<number>
  /** Address under which the site serves it; empty for documents, which have ways of their own. */
  path: Defaulted<string>
  name: string
  ext: string
  size: number
  width: Defaulted<number>
  height: Defaulted<number>
  ip: Defaulted<string>
  description: Defaulted<string>
  /** 0 bans the content: it cannot be uploaded again. */
  enable: Defaulted<Bit>
  deleted_at: number | null
}

/** Content that is in the storage, under its hash. */
interface StoredFileTable {
  hash: string
  size: number
  /** Being removed: whoever brings the same content waits, or brings it anew. */
  leaving: Defaulted<Bit>
  seen_at: number
  created_at: number
}

/** A resumable upload under way. */
interface UploadTable extends Stamps {
  id: string
  user_id: number
  name: string
  size: number
  /** What the sender says the content's SHA-256 is; empty if it does not say. */
  hash: Defaulted<string>
  /** What the tus library keeps about it. */
  state: Defaulted<string>
  /** The attachment it has become; 0 until it is whole. */
  attachment_id: Defaulted<number>
  expires_at: number
}
