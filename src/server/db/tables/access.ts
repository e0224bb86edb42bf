import type { Punishment } from '#shared/enums.ts'
import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface AccessTables {
  group: GroupTable
  /** Null if the membership has no end. */
  user_group: { user_id: number; group_id: number; ends_at: Defaulted<number | null> }
  invitation: InvitationTable
  permission: PermissionTable
  group_permission: { group_id: number; permission_id: number }
  punishment: PunishmentTable
  session: SessionTable
}

interface GroupTable extends Stamps {
  id: Id
  title: string
  color: Defaulted<string>
  description: Defaulted<string>
  is_default: Bit
  is_display: Bit
  sort: Defaulted<number>
  enable_upload: Bit
  enable_document_review: Bit
  enable_comment: Bit
  enable_comment_approval: Bit
  enable_article: Bit
  enable_article_approval: Bit
}

/** A link by which a visitor becomes a member of groups; good once. */
interface InvitationTable extends Stamps {
  id: Id
  token_hash: string
  /** Empty for a link that is handed over. */
  email: Defaulted<string>
  /** Separated by commas. */
  group_ids: string
  /** The end of the membership in the groups. */
  member_until: number | null
  /** The member of staff who invited. */
  user_id: number
  expires_at: number
  used_at: Defaulted<number | null>
  used_by: Defaulted<number>
  withdrawn_at: Defaulted<number | null>
}

interface PermissionTable extends Stamps {
  id: Id
  method: string
  path: string
  title: Defaulted<string>
  description: Defaulted<string>
}

interface PunishmentTable extends Stamps {
  id: Id
  user_id: number
  type: Punishment
  enable: Bit
  operators: Defaulted<string>
  reason: Defaulted<string>
  remark: Defaulted<string>
  end_time: number | null
}

interface SessionTable {
  id: Id
  user_id: number
  ip: string
  user_agent: string
  expires_at: number
  last_seen_at: number
  created_at: number
  /** How the member logged in, and with which second factor. */
  way: Defaulted<string>
  factor: Defaulted<string>
  /** When the member last proved in this session to be the owner of the account. */
  proven_at: Defaulted<number>
}
