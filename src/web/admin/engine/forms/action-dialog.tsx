import { Form, Modal, Typography } from 'antd'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { type FormValues, ResourceForm } from '#web/admin/engine/forms/resource-form.tsx'
import { showFieldErrors } from '#web/admin/engine/forms/validation.ts'
import { batchSize } from '#web/admin/engine/selection/bulk-run.ts'
import {
  type AnyCallAction,
  describeAction,
  describeSuccess,
  type StartBulkRun,
  toRowsInput,
} from '#web/admin/engine/use-actions.ts'
import type { Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

interface ActionDialogProps {
  resource: Resource
  action: AnyCallAction
  rows: Row[]
  onClose: () => void
  onDone: () => void
  onBulk: StartBulkRun
}

/** The confirmation of an action that has fields to fill in. */
export function ActionDialog({ resource, action, rows, onClose, onDone, onBulk }: ActionDialogProps) {
  const [form] = Form.useForm<FormValues>()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const { affected, subject, title, text } = describeAction(resource, action, rows)
  const { endpoint, fields, danger } = action
  const submitLabel = danger ? action.label : '保存'
  const submit = (values: FormValues) =>
    run(async () => {
      if (affected.length > batchSize) {
        onClose()
        void onBulk(action, { ...action.input, ...values }, affected)
        return
      }
      try {
        const reply = await api(endpoint, { ...action.input, ...values, ...toRowsInput(action, affected) })
        action.onSuccess?.(reply)
        showSuccess(describeSuccess(action, reply, submitLabel))
        onDone()
      } catch (error) {
        if (!showFieldErrors(form, fields, error, resource.errorFields)) showError(submitLabel, error)
      }
    })
  return (
    <Modal
      open
      title={danger ? title : `${action.label}：${subject}`}
      width="max(30vw, 360px)"
      okText={submitLabel}
      okButtonProps={{ danger, loading: busy }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      {text && <Typography.Paragraph type="secondary">{text}</Typography.Paragraph>}
      <ResourceForm
        form={form}
        endpoint={endpoint}
        fields={fields}
        initial={rows.length === 1 && !action.startsEmpty ? (rows[0] ?? {}) : {}}
        onSubmit={(values) => void submit(values)}
      />
    </Modal>
  )
}
