import { useState } from 'react'
import type { Endpoint } from '#shared/endpoint.ts'
import { ActionDialog } from '#web/admin/engine/forms/action-dialog.tsx'
import { EditedRowId } from '#web/admin/engine/forms/edited-row.ts'
import { FormDrawer } from '#web/admin/engine/forms/form-drawer.tsx'
import type { FormValues } from '#web/admin/engine/forms/resource-form.tsx'
import { type AnyCallAction, getRowName, loadRow, type StartBulkRun } from '#web/admin/engine/use-actions.ts'
import type { PanelAction, Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

/** Which dialog is open over the list. */
export type DialogState =
  | { kind: 'create'; endpoint: Endpoint; initial: FormValues }
  | { kind: 'update'; endpoint: Endpoint; row: Row; get?: Endpoint }
  | { kind: 'call'; action: AnyCallAction; rows: Row[] }
  | { kind: 'panel'; action: PanelAction<Row>; row: Row }

interface OpenDialogProps {
  resource: Resource
  dialog: DialogState
  onClose: () => void
  onDone: () => void
  onBulk: StartBulkRun
}

export function OpenDialog({ resource, dialog, onBulk, ...handlers }: OpenDialogProps) {
  if (dialog.kind === 'panel') {
    const Panel = dialog.action.panel
    return <Panel row={dialog.row} {...handlers} />
  }
  if (dialog.kind === 'call')
    return <ActionDialog resource={resource} action={dialog.action} rows={dialog.rows} onBulk={onBulk} {...handlers} />
  if (dialog.kind === 'create') return <CreateDialog resource={resource} {...dialog} {...handlers} />
  const { endpoint, row, get } = dialog
  return (
    <EditedRowId value={row.id}>
      <FormDrawer
        title={`${resource.editLabel ?? '编辑'}${resource.title}：${getRowName(resource, row)}`}
        actionLabel="保存"
        endpoint={endpoint}
        fields={resource.form.update}
        errorFields={resource.errorFields}
        width={resource.formWidth}
        tool={resource.formTool}
        load={() => loadRow(row, get)}
        send={(values) => api(endpoint, values)}
        {...handlers}
      />
    </EditedRowId>
  )
}

interface CreateDialogProps {
  resource: Resource
  endpoint: Endpoint
  initial: FormValues
  onClose: () => void
  onDone: () => void
}

function CreateDialog({ resource, endpoint, initial, onClose, onDone }: CreateDialogProps) {
  const [made, setMade] = useState<{ values: FormValues; reply: unknown }>()
  const Created = resource.created
  if (made && Created) return <Created {...made} onClose={onDone} />
  return (
    <FormDrawer
      title={`新增${resource.title}`}
      actionLabel="新增"
      endpoint={endpoint}
      fields={resource.form.create}
      errorFields={resource.errorFields}
      width={resource.formWidth}
      tool={resource.formTool}
      load={() => Promise.resolve(initial)}
      send={async (values) => setMade({ values, reply: await api(endpoint, values) })}
      onClose={onClose}
      onDone={() => {
        if (!Created) onDone()
      }}
    />
  )
}
