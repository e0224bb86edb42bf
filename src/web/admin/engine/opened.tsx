import { AskDialog } from '#web/admin/engine/ask-dialog.tsx'
import { type AnyCall, idsFor, inquiry, loadRow, nameOf } from '#web/admin/engine/deeds.tsx'
import { EditedRow } from '#web/admin/engine/edited-row.ts'
import { FormDrawer } from '#web/admin/engine/form-drawer.tsx'
import type { Values } from '#web/admin/engine/resource-form.tsx'
import type { Endpoint } from '#shared/endpoint.ts'
import type { PanelAction, Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

/** Which form stands open over the list. */
export type Open =
  | { kind: 'create'; endpoint: Endpoint; given: Values }
  | { kind: 'update'; endpoint: Endpoint; row: Row; fresh?: Endpoint }
  | { kind: 'ask'; action: AnyCall; rows: Row[] }
  | { kind: 'panel'; action: PanelAction<Row>; row: Row }

interface OpenedProps {
  resource: Resource
  open: Open
  onClose: () => void
  onDone: () => void
}

export function Opened({ resource, open, ...ends }: OpenedProps) {
  if (open.kind === 'panel') {
    const Panel = open.action.panel
    return <Panel row={open.row} {...ends} />
  }
  if (open.kind === 'ask') return <Ask resource={resource} action={open.action} rows={open.rows} {...ends} />
  if (open.kind === 'create') {
    const { endpoint, given } = open
    return (
      <FormDrawer
        title={`新增${resource.title}`}
        deed="新增"
        endpoint={endpoint}
        fields={resource.form.create}
        blame={resource.blame}
        load={() => Promise.resolve(given)}
        send={(values) => api(endpoint, values)}
        {...ends}
      />
    )
  }
  const { endpoint, row, fresh } = open
  return (
    <EditedRow value={row.id}>
      <FormDrawer
        title={`${resource.editing ?? '编辑'}${resource.title}：${nameOf(resource, row)}`}
        deed="保存"
        endpoint={endpoint}
        fields={resource.form.update}
        blame={resource.blame}
        load={() => loadRow(row, fresh)}
        send={(values) => api(endpoint, values)}
        {...ends}
      />
    </EditedRow>
  )
}

function Ask({
  resource,
  action,
  rows,
  ...ends
}: {
  resource: Resource
  action: AnyCall
  rows: Row[]
  onClose: () => void
  onDone: () => void
}) {
  const { able, subject, title, note } = inquiry(resource, action, rows)
  return (
    <AskDialog
      title={action.danger ? title : `${action.label}：${subject}`}
      question={[action.question, note].filter(Boolean).join(' ')}
      deed={action.danger ? action.label : '保存'}
      danger={action.danger}
      endpoint={action.endpoint}
      fields={action.ask}
      blame={resource.blame}
      initial={rows.length === 1 ? (rows[0] ?? {}) : {}}
      send={async (values) => {
        const reply = await api(action.endpoint, { ...action.given, ...values, ...idsFor(action.endpoint, able) })
        action.after?.(reply)
      }}
      {...ends}
    />
  )
}
