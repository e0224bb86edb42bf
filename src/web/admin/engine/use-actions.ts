import { App } from 'antd'
import * as z from 'zod/mini'
import type { Endpoint } from '#shared/endpoint.ts'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { batchSize } from '#web/admin/engine/selection/bulk-run.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import type { AnyAction, CallAction, Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

export type AnyCallAction = CallAction<Row>

/** The actions of a screen that this user may take, with the endpoints behind its form. */
export function useActions(resource: Resource) {
  const { canCall, canOpen, has } = usePermissions()
  const { api: endpoints, form, requires, createPage } = resource
  const allowed = (key: 'get' | 'update' | 'delete') => {
    const required = requires?.[key]
    return canCall(endpoints[key]) && (!required || has(required)) ? endpoints[key] : undefined
  }
  // What is not part of the back office is open to all.
  const isOpen = (page: string) => !page.startsWith('/admin/') || canOpen(page)
  const update = allowed('update')
  const deleteEndpoint = allowed('delete')
  const rowActions = [
    ...resource.actions,
    ...(deleteEndpoint ? [toDeleteAction(resource, deleteEndpoint)] : []),
  ].filter((action) => {
    const isAllowed = action.kind === 'link' ? canOpen(action.page) : canCall(action.endpoint)
    const required = action.kind === 'call' ? undefined : action.requires
    return isAllowed && (!required || has(required))
  })
  return {
    create: form.create.length > 0 && canCall(endpoints.create) ? endpoints.create : undefined,
    createPage: createPage && isOpen(createPage.page) && has(createPage.requires) ? createPage.page : undefined,
    update: form.update.length > 0 ? update : undefined,
    patch: canCall(endpoints.patch) ? endpoints.patch : undefined,
    get: allowed('get'),
    export: canCall(resource.export) ? resource.export : undefined,
    isOrderable: canCall(resource.ordering?.endpoint),
    rowActions,
    bulkActions: rowActions.filter((action): action is AnyCallAction => action.kind === 'call' && action.bulk),
    toolbarActions: resource.toolbar.filter(({ endpoint }) => canCall(endpoint)),
  }
}

function toDeleteAction({ undeletable, deleteWarning }: Resource, endpoint: Endpoint): AnyCallAction {
  return {
    kind: 'call',
    endpoint,
    label: '删除',
    danger: true,
    bulk: true,
    fields: [],
    input: {},
    disabledReason: undeletable,
    confirm: deleteWarning ?? '删除后不能恢复。',
  }
}

/** The row as it is now and in full, where the user may read it singly: the list may be stale, or leave long texts out. */
export async function loadRow(row: Row, get: Endpoint | undefined): Promise<Row> {
  if (!get) return row
  const current = await api(get, { id: row.id })
  return { ...row, ...(typeof current === 'object' ? current : {}) }
}

/** Takes an action on more rows than go into one request. */
export type StartBulkRun = (action: AnyCallAction, input: Record<string, unknown>, rows: Row[]) => Promise<void>

/** Asks for confirmation, naming the rows, then calls the endpoint. */
export function useConfirm(resource: Resource, { onDone, onBulk }: { onDone: () => void; onBulk: StartBulkRun }) {
  const { modal } = App.useApp()
  const { showSuccess, showError } = useFeedback()
  return (action: AnyCallAction | CallAction<never>, rows: Row[]) => {
    const { affected, title, text } = describeAction(resource, action as AnyCallAction, rows)
    modal.confirm({
      title,
      content: text,
      okText: action.label,
      okButtonProps: { danger: action.danger },
      onOk: async () => {
        if (affected.length > batchSize) {
          void onBulk(action as AnyCallAction, action.input, affected)
          return
        }
        try {
          const reply = await api(action.endpoint, {
            ...action.input,
            ...toRowsInput(action as AnyCallAction, affected),
          })
          showSuccess(describeSuccess(action, reply))
          action.onSuccess?.(reply)
          onDone()
        } catch (error) {
          showError(action.label, error)
        }
      },
    })
  }
}

export function describeSuccess(
  { label, successMessage }: CallAction<never>,
  reply: unknown,
  done: string = label,
): string {
  if (successMessage === undefined) return `${done}成功`
  return typeof successMessage === 'function' ? successMessage(reply) : successMessage
}

/** Actions that are not are not offered. */
export function isApplicable(action: AnyAction, row: Row): boolean {
  return action.disabledReason?.(row) === undefined
}

/** The rows that an action can be taken on, and the title and text of its confirmation. */
export function describeAction(resource: Resource, action: AnyCallAction, rows: Row[]) {
  const affected = rows.filter((row) => isApplicable(action, row))
  const [first] = affected
  if (rows.length === 0) return { affected, subject: '', title: `${action.label}？`, text: action.confirm }
  const verb = action.label.endsWith(resource.title) ? action.label.slice(0, -resource.title.length) : action.label
  const isSingle = rows.length === 1 && first !== undefined
  const subject = isSingle
    ? getRowName(resource, first)
    : `选中的 ${affected.length.toLocaleString('zh-CN')} 个${resource.title}`
  return {
    affected,
    subject,
    title: `${verb}${isSingle ? `${resource.title}“${subject}”` : subject}？`,
    text: [action.confirm, describeSkipped(action, rows, affected)].filter(Boolean).join(' '),
  }
}

function describeSkipped(action: AnyAction, rows: Row[], affected: Row[]): string | undefined {
  const skipped = rows.find((row) => action.disabledReason?.(row))
  if (!skipped || affected.length === 0) return undefined
  return `另有 ${(rows.length - affected.length).toLocaleString('zh-CN')} 个将跳过：${action.disabledReason?.(skipped)}。`
}

/** What the input says of the rows. */
export function toRowsInput({ endpoint, rowsInput }: AnyCallAction, rows: Row[]): Record<string, unknown> {
  return { ...toIdInput(endpoint, rows), ...rowsInput?.(rows) }
}

/** Some endpoints take a single id, others several: their schema tells. */
export function toIdInput(endpoint: Endpoint, rows: Row[]): Record<string, number | number[] | undefined> {
  const ids = rows.map(({ id }) => id)
  const key = idKeys.find((name) => name in endpoint.input.shape)
  if (!key || rows.length === 0) return {}
  const schema = endpoint.input.shape[key]
  return { [key]: schema && z.safeParse(schema, ids).success ? ids : ids[0] }
}

/** The input keys that name the rows. */
const idKeys = ['id', 'document_id', 'article_id', 'user_id']

export function getRowName(resource: Resource, row: Row): string {
  const name = resource.rowName?.(row) ?? row['title'] ?? row['username'] ?? row['name']
  return typeof name === 'string' && name ? name : `#${row.id}`
}
