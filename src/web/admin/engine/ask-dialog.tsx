import { Form, Modal, Typography } from 'antd'
import type { Endpoint } from '#shared/endpoint.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { ResourceForm, type Values } from '#web/admin/engine/resource-form.tsx'
import { type Blame, showProblems } from '#web/admin/engine/validation.ts'
import type { Field } from '#web/admin/resource.ts'

interface AskDialogProps {
  title: string
  question?: string
  deed: string
  danger?: boolean
  endpoint: Endpoint
  fields: readonly Field[]
  blame?: Blame
  initial: Values
  send: (values: Values) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}

/** A decision, with the few things that have to be known for it. */
export function AskDialog({
  title,
  question,
  deed,
  danger,
  endpoint,
  fields,
  blame,
  initial,
  send,
  onClose,
  onDone,
}: AskDialogProps) {
  const [form] = Form.useForm<Values>()
  const { busy, run } = useTask()
  const { done, failed } = useFeedback()
  const submit = (values: Values) =>
    run(async () => {
      try {
        await send(values)
        done(`${deed}成功`)
        onDone()
      } catch (error) {
        if (!showProblems(form, fields, error, blame)) failed(deed, error)
      }
    })
  return (
    <Modal
      open
      title={title}
      width="clamp(360px, 30vw, 560px)"
      okText={deed}
      okButtonProps={{ danger, loading: busy }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      {question && <Typography.Paragraph type="secondary">{question}</Typography.Paragraph>}
      <ResourceForm
        form={form}
        endpoint={endpoint}
        fields={fields}
        initial={initial}
        onSubmit={(values) => void submit(values)}
      />
    </Modal>
  )
}
