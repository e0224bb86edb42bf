import { App } from 'antd'
import * as z from 'zod/mini'
import type { Endpoint } from '#shared/endpoint.ts'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { useMay } from '#web/admin/engine/gate.ts'
import type { AnyAction, CallAction, Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

export type AnyCall = CallAction<Row>

/** What this user can do with the rows of a screen: its own actions, and deleting where the contract has it. */
export function useDeeds(resource: Resource) {
  const may = useMay()
  const { api: calls, kept, form, needs, workshop } = resource
  const usable = (key: 'get' | 'update' | 'delete') => {
    const needed = needs?.[key]
    return may.call(calls[key]) && (!needed || may.hold(needed)) ? calls[key] : undefined
  }
  const update = usable('update')
  const remove = usable('delete')
  const removal: AnyCall[] = remove
    ? [
        {
          kind: 'call',
          endpoint: remove,
          label: '删除',
          danger: true,
          bulk: true,
          ask: [],
          given: {},
          blocked: kept,
          question: resource.deletion ?? '删除后不能恢复。',
        },
      ]
    : []
  const allowed = [...resource.actions, ...removal].filter((action) =>
    action.kind === 'link'
      ? may.open(action.page) && (!action.needs || may.hold(action.needs))
      : may.call(action.endpoint),
  )
  return {
    create: form.create.length > 0 && may.call(calls.create) ? calls.create : undefined,
    workshop: workshop && may.open(workshop.page) && may.hold(workshop.needs) ? workshop.page : undefined,
    update,
    sortable: may.call(resource.sorting?.by),
    editable: form.update.length > 0 && update !== undefined,
    fresh: usable('get'),
    row: allowed,
    general: resource.general.filter(({ endpoint }) => may.call(endpoint)),
    bulk: allowed.filter((action): action is AnyCall => action.kind === 'call' && action.bulk),
  }
}

/** The row as it is now and in full, where the user may look at it singly: the list may be old, or leave long texts out. */
export async function loadRow(row: Row, fresh: Endpoint | undefined): Promise<Row> {
  if (!fresh) return row
  const now = await api(fresh, { id: row.id })
  return { ...row, ...(typeof now === 'object' ? now : {}) }
}

/** Asks in words that name what is at stake, then does it. */
export function useConfirm(resource: Resource, onDone: () => void) {
  const { modal } = App.useApp()
  const { done, failed } = useFeedback()
  return (action: AnyCall | CallAction<never>, rows: Row[]) => {
    const { able, title, note } = inquiry(resource, action as AnyCall, rows)
    modal.confirm({
      title,
      content: [action.question, note].filter(Boolean).join(' '),
      okText: action.label,
      okButtonProps: { danger: action.danger },
      onOk: async () => {
        try {
          const reply = await api(action.endpoint, { ...action.given, ...idsFor(action.endpoint, able) })
          done(action.done ?? `${action.label}成功`)
          action.after?.(reply)
          onDone()
        } catch (error) {
          failed(action.label, error)
        }
      },
    })
  }
}

/** The rows an action can work on, the question about them, and what is said of the others. */
export function inquiry(resource: Resource, action: AnyAction, rows: Row[]) {
  const able = rows.filter((row) => !action.blocked?.(row))
  const left = rows.find((row) => action.blocked?.(row))
  const [only] = able
  if (rows.length === 0) return { able, subject: '', title: `${action.label}？` }
  const verb = action.label.endsWith(resource.title) ? action.label.slice(0, -resource.title.length) : action.label
  const isOne = rows.length === 1 && only !== undefined
  const subject = isOne ? nameOf(resource, only) : `选中的 ${able.length} 个${resource.title}`
  const note =
    left && able.length > 0 ? `另有 ${rows.length - able.length} 个将跳过：${action.blocked?.(left)}。` : undefined
  return { able, subject, title: `${verb}${isOne ? `${resource.title}“${subject}”` : subject}？`, note }
}

/** Endpoints take one id or several; their schema knows. */
export function idsFor(endpoint: Endpoint, rows: Row[]): Record<string, number | number[] | undefined> {
  const ids = rows.map(({ id }) => id)
  const key = idKeys.find((name) => name in endpoint.input.shape)
  if (!key || rows.length === 0) return {}
  const schema = endpoint.input.shape[key]
  return { [key]: schema && z.safeParse(schema, ids).success ? ids : ids[0] }
}

/** What endpoints call the rows they work on. */
const idKeys = ['id', 'document_id', 'article_id']

export function nameOf(resource: Resource, row: Row): string {
  const name = resource.nameOf?.(row) ?? row['title'] ?? row['username'] ?? row['name']
  return typeof name === 'string' && name ? name : `#${row.id}`
}
