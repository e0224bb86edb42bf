import * as z from 'zod/mini'
import { RecordStatus } from '../enums.ts'
import { code, count, flag, id, unsetTime } from '../fields.ts'

export const User = z.object({
  id,
  username: z.string(),
  /** Until when the member cannot change it again. */
  username_locked_until: unsetTime,
  realname: z.string(),
  identity: z.string(),
  email: z.string(),
  /** The member can log in with it. */
  email_verified: flag,
  mobile: z.string(),
  /** The member can log in with it. */
  mobile_verified: flag,
  avatar: z.string(),
  address: z.string(),
  signature: z.string(),
  remark: z.string(),
  is_vip: flag,
  /** Owns the site; told only to the member and to staff who manage users. */
  is_root: flag,
  register_ip: z.string(),
  last_login_ip: z.string(),
  doc_count: count(),
  article_count: count(),
  follow_count: count(),
  fans_count: count(),
  favorite_count: count(),
  comment_count: count(),
  credit_count: z.int(),
  group_id: z.array(id),
  /** When the first membership ends that does. */
  member_until: unsetTime,
  status: code(RecordStatus),
  /** When the account will be deleted, as its owner has asked; told only to the member and to staff who manage users. */
  deletion_at: unsetTime,
  /** When its owner has had it deleted. */
  deleted_at: unsetTime,
  login_at: unsetTime,
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type User = z.output<typeof User>

/** The end of every way to log in. */
export const SignedIn = z.object({ token: z.string(), user: User })

/** The author of some content; the id is 0 when the account is gone. */
export const PublicUser = z.object({
  id: count(),
  username: z.string(),
  avatar: z.string(),
  signature: z.string(),
  is_vip: flag,
  doc_count: count(),
  article_count: count(),
  follow_count: count(),
  fans_count: count(),
  favorite_count: count(),
  comment_count: count(),
  credit_count: z.int(),
})
export type PublicUser = z.output<typeof PublicUser>
