import { Form, type FormInstance, Grid, Modal, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { useUnsavedChanges } from '#web/admin/engine/forms/use-unsaved-changes.ts'
import { showFieldErrors } from '#web/admin/engine/forms/validation.ts'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import { useQuery } from '#web/lib/use-query.ts'

interface AccountDialogProps<T> {
  title: string
  /** For the messages: 修改成功, 修改失败. */
  actionLabel: string
  /** Above the fields. */
  hint?: string
  load: () => Promise<Partial<T>>
  /** The fields at which errors of the server can be shown. */
  keys: readonly (keyof T & string)[]
  errorFields?: Record<string, keyof T & string>
  children: (form: FormInstance<T>, initial: Partial<T>) => ReactNode
  send: (values: T) => Promise<void>
  onClose: () => void
  onDone: () => void
}

/** A form about the user's own account, 30 % wide; as wide as the screen on phones. */
export function AccountDialog<T extends object>({
  title,
  actionLabel,
  hint,
  load,
  keys,
  errorFields,
  children,
  send,
  onClose,
  onDone,
}: AccountDialogProps<T>) {
  const [form] = Form.useForm<T>()
  const initial = useQuery('initial', load)
  const isWide = Grid.useBreakpoint().md ?? true
  const unsaved = useUnsavedChanges()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const submit = (values: T) =>
    run(async () => {
      try {
        await send({ ...initial.data, ...values })
        unsaved.markSaved()
        showSuccess(`${actionLabel}成功`)
        onDone()
      } catch (error) {
        const fields = keys.map((key) => ({ key }))
        if (!showFieldErrors(form, fields, error, errorFields)) showError(actionLabel, error)
      }
    })
  return (
    <Modal
      open
      title={title}
      width={isWide ? 'max(30vw, 360px)' : '100%'}
      okText="保存"
      okButtonProps={{ loading: busy, disabled: !initial.data }}
      onOk={() => form.submit()}
      onCancel={() => unsaved.confirmLeave(onClose)}
      mask={{ closable: false }}
    >
      {hint && <Typography.Paragraph type="secondary">{hint}</Typography.Paragraph>}
      <QueryState query={initial}>
        {(values) => (
          <Form
            form={form}
            layout="vertical"
            validateTrigger="onBlur"
            initialValues={values}
            onValuesChange={unsaved.markDirty}
            onFinish={(entered) => void submit(entered)}
          >
            {children(form, values)}
            <button type="submit" hidden>
              保存
            </button>
          </Form>
        )}
      </QueryState>
    </Modal>
  )
}
