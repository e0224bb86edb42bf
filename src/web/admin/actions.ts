import type { ComponentType } from 'react'
import type { Ask, Endpoint, Reply } from '#shared/endpoint.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import type { CallAction, FieldOf, LinkAction, PanelAction, PanelProps } from '#web/admin/resource.ts'

/** Action builders: what can be done with a row beside changing and deleting it. */

interface Traits<R> {
  danger?: boolean
  blocked?: (row: R) => string | undefined
}

/** Calls an endpoint with the row's id; `bulk` offers it for all chosen rows; `ask` and `given` fill the rest of its input. */
export function call<E extends Endpoint, R = unknown>(
  endpoint: E,
  label: string,
  traits: Traits<R> & {
    bulk?: boolean
    question?: string
    done?: string
    ask?: readonly FieldOf<Omit<Ask<E>, 'id'>>[]
    given?: Partial<Ask<E>>
    after?: (reply: Reply<E>) => void
  } = {},
): CallAction<NoInfer<R>> {
  const { ask = [], bulk = false, given = {}, after, ...rest } = traits
  return { kind: 'call', endpoint, label, bulk, ask, given, after: after as CallAction<R>['after'], ...rest }
}

/** Opens a drawer of its own for a row. */
export function panel<R = unknown>(
  endpoint: Endpoint,
  label: string,
  opens: ComponentType<PanelProps<R>>,
  traits: Traits<R> = {},
): PanelAction<NoInfer<R>> {
  return { kind: 'panel', endpoint, label, panel: opens, ...traits }
}

/** Leads to another admin page; `needs` is what one must hold to do there what the link says. */
export function goto<R = unknown>(
  page: string,
  label: string,
  query: (row: R) => string,
  traits: Traits<R> & { needs?: PermissionPath } = {},
): LinkAction<NoInfer<R>> {
  return { kind: 'link', page, label, to: (row) => `${page}?${query(row)}`, ...traits }
}
