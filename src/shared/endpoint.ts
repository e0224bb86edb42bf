import type * as z from 'zod/mini'
import type { PermissionPath } from './permissions.ts'

/**
 * Access to an endpoint:
 * - `open`: anyone, even while the site is closed or requires login (what login itself needs)
 * - `public`: anyone the site is open to
 * - `self`: any logged-in user, even while the site is closed (what concerns only that user)
 * - `member`: any logged-in user the site is open to
 * - `staff`: a user whose groups hold at least one permission
 * - `administrator`: a member of the administrators' group, and root
 * - `root`: the owner of the site
 * - a permission: a user whose groups hold it, and administrators
 */
export type Access =
  | 'open'
  | 'public'
  | 'self'
  | 'member'
  | 'staff'
  | 'administrator'
  | 'root'
  | { permission: PermissionPath }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who has to prove anew, within the last minutes of this session, to be the owner of the account: `enrolled`, those with
 * two-step verification; `everyone`, others too, by their password. Logging in is such a proof.
 */
export type Proof = 'enrolled' | 'everyone'

/** The maximum size of a body, in bytes, where an endpoint declares no other. */
export const defaultBodyLimit = 64 * 1024

/** What differs from the default. */
interface Traits {
  /** For what must not be done with a stolen session. */
  proof?: Proof
  /** The maximum size of the body, in bytes. */
  bodyLimit?: number
  /** The reply to a visitor depends on its input and the site's content alone: it is kept for visitors as pages are. */
  shared?: true
  /** Members change their own content with it, staff also that of others: audited when staff call it. */
  staffMayActForOthers?: boolean
}

export interface Endpoint<
  I extends z.ZodMiniObject = z.ZodMiniObject,
  R extends z.ZodMiniType = z.ZodMiniType,
  A extends Access = Access,
> extends Traits {
  method: Method
  path: string
  access: A
  summary: string
  input: I
  reply: R
}

/** The input as the handler gets it and as the caller passes it, and the reply. */
export type Input<E extends Endpoint> = z.output<E['input']>
export type CallInput<E extends Endpoint> = z.input<E['input']>
export type Reply<E extends Endpoint> = z.output<E['reply']>

export type Contract = Record<string, Endpoint>

export const get = declare('GET')
export const post = declare('POST')
/** Replaces all keys of its input: those that are left out get their default. */
export const put = declare('PUT')
/** Changes only the keys that are given. */
export const patch = declare('PATCH')
export const del = declare('DELETE')

export function permission<P extends PermissionPath>(path: P): { permission: P } {
  return { permission: path }
}

function declare(method: Method) {
  return <I extends z.ZodMiniObject, R extends z.ZodMiniType, const A extends Access>(
    path: string,
    declaration: Traits & { summary: string; access: A; input: I; reply: R },
  ): Endpoint<I, R, A> => ({ method, path, ...declaration })
}
