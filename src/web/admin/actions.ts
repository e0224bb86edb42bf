import type { ComponentType } from 'react'
import type { CallInput, Endpoint, Reply } from '#shared/endpoint.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import type { CallAction, FieldOf, LinkAction, PanelAction, PanelProps } from '#web/admin/resource.ts'

/** Action builders: what can be done with a row beside editing and deleting it. */

interface ActionOptions<R> {
  danger?: boolean
  disabledReason?: (row: R) => string | undefined
}

/** Calls an endpoint with the row's id; `fields` and `input` give the rest of its input. */
export function call<E extends Endpoint, R = unknown>(
  endpoint: E,
  label: string,
  options: ActionOptions<R> & {
    bulk?: boolean
    confirm?: string
    startsEmpty?: boolean
    successMessage?: string | ((reply: Reply<E>) => string)
    fields?: readonly FieldOf<Omit<CallInput<E>, 'id'>>[]
    input?: Partial<CallInput<E>>
    rowsInput?: (rows: readonly R[]) => Partial<CallInput<E>>
    onSuccess?: (reply: Reply<E>) => void
  } = {},
): CallAction<NoInfer<R>> {
  const { fields = [], bulk = false, input = {}, successMessage, onSuccess, ...rest } = options
  return {
    kind: 'call',
    endpoint,
    label,
    bulk,
    fields,
    input,
    successMessage: successMessage as CallAction<R>['successMessage'],
    onSuccess: onSuccess as CallAction<R>['onSuccess'],
    ...rest,
  }
}

/** Opens a drawer of its own for a row; `requires` is a permission that the endpoint asks for only with the id of another. */
export function panel<R = unknown>(
  endpoint: Endpoint,
  label: string,
  component: ComponentType<PanelProps<R>>,
  options: ActionOptions<R> & { requires?: PermissionPath } = {},
): PanelAction<NoInfer<R>> {
  return { kind: 'panel', endpoint, label, panel: component, ...options }
}

/** Leads to another admin page; `requires` is the permission for what the link says, beside the page's own. */
export function goto<R = unknown>(
  page: string,
  label: string,
  query: (row: R) => string,
  options: ActionOptions<R> & { requires?: PermissionPath } = {},
): LinkAction<NoInfer<R>> {
  return { kind: 'link', page, label, to: (row) => `${page}?${query(row)}`, ...options }
}
