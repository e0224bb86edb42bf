import type * as z from 'zod/mini'
import type { PermissionPath } from './permissions.ts'

/**
 * Who may call:
 * - `open`: anyone, even while the site is closed or asks for login (what one needs in order to log in)
 * - `public`: anyone the site is open to
 * - `self`: any logged-in user, even while the site is closed (what concerns only themselves)
 * - `member`: any logged-in user the site is open to
 * - `staff`: a user whose groups hold at least one permission
 * - `root`: user 1
 * - a permission: a user whose groups hold it, and user 1
 */
export type Access = 'open' | 'public' | 'self' | 'member' | 'staff' | 'root' | { permission: PermissionPath }

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint<
  I extends z.ZodMiniObject = z.ZodMiniObject,
  R extends z.ZodMiniType = z.ZodMiniType,
  A extends Access = Access,
> {
  method: Method
  path: string
  access: A
  summary: string
  input: I
  reply: R
}

/** What a handler receives, what a caller must give, what both see in the reply. */
export type Input<E extends Endpoint> = z.output<E['input']>
export type Ask<E extends Endpoint> = z.input<E['input']>
export type Reply<E extends Endpoint> = z.output<E['reply']>

export type Contract = Record<string, Endpoint>

export const get = declare('GET')
export const post = declare('POST')
export const put = declare('PUT')
export const del = declare('DELETE')

export function permission<P extends PermissionPath>(path: P): { permission: P } {
  return { permission: path }
}

function declare(method: Method) {
  return <I extends z.ZodMiniObject, R extends z.ZodMiniType, const A extends Access>(
    path: string,
    declaration: { summary: string; access: A; input: I; reply: R },
  ): Endpoint<I, R, A> => ({ method, path, ...declaration })
}
