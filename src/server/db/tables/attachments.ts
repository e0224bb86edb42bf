import type { AttachmentType } from '#shared/enums.ts'
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
  type: AttachmentType
  /** The document, user, article … that uses it; 0 while it is unused. */
  type_id: Defaulted<number>
  /** The address under which the site serves it; empty for documents, which are served by /view and /download. */
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

/** Content in the storage, by its hash. */
interface StoredFileTable {
  hash: string
  size: number
  /** Its bytes are being deleted: an upload of the same content waits, or stores it again. */
  deleting: Defaulted<Bit>
  last_used_at: number
  created_at: number
}

/** A resumable upload that is not finished. */
interface UploadTable extends Stamps {
  id: string
  user_id: number
  name: string
  size: number
  /** The SHA-256 of the content as declared by the client, or empty. */
  hash: Defaulted<string>
  /** The state of the tus library, as JSON. */
  state: Defaulted<string>
  /** The attachment that it has become; 0 until it is complete. */
  attachment_id: Defaulted<number>
  expires_at: number
}
