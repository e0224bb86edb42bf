import type { ContentType } from '#shared/enums.ts'
import type { NotificationKind, NotificationMail } from '#shared/notification-kinds.ts'
import type { Defaulted, Id } from './column.ts'

export interface NotificationTables {
  notification: NotificationTable
  /** Kinds without a row are mailed as by default. */
  notification_choice: { user_id: number; kind: NotificationKind; mail: NotificationMail }
}

/** One row for each event that a member is notified of. It names what it is about, and has no copy of its content. */
interface NotificationTable {
  id: Id
  user_id: number
  kind: NotificationKind
  /** Of the event and the member: an event that is delivered twice notifies once. */
  event_key: string
  /** Unread ones of a member with the same key are shown as one; empty for those that stay apart. */
  group_key: Defaulted<string>
  /** The first of its group, which has the group's state; null for that one itself. */
  group_id: Defaulted<number | null>
  /** The member who caused it; 0 for staff and the site itself. */
  actor_id: Defaulted<number>
  /** The document or article; null for none. */
  content_type: Defaulted<ContentType | null>
  content_id: Defaulted<number>
  /** The comment that was written; 0 for none. */
  comment_id: Defaulted<number>
  /** Credits earned. */
  credits: Defaulted<number>
  /** More facts, as JSON. */
  params: Defaulted<string>
  /** Of the group: when its latest event happened. */
  latest_at: number
  read_at: Defaulted<number | null>
  /** When it is to be mailed; null if it is not, or was. */
  mail_at: Defaulted<number | null>
  /** Kept for a while after that, so that an event that is delivered again does not bring it back. */
  deleted_at: Defaulted<number | null>
  created_at: number
}
