import { Form, type FormInstance, Grid, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { showProblems } from '#web/admin/engine/validation.ts'
import { useUnsaved } from '#web/admin/engine/unsaved.ts'

interface AccountDialogProps<T> {
  title: string
  deed: string
  initial: Partial<T>
  /** Keys the server may complain about. */
  keys: readonly (keyof T & string)[]
  blame?: Record<string, keyof T & string>
  children: (form: FormInstance<T>) => ReactNode
  send: (values: T) => Promise<void>
  onClose: () => void
}

/** A form about oneself, 30 % wide; the whole width on phones. */
export function AccountDialog<T extends object>({
  title,
  deed,
  initial,
  keys,
  blame,
  children,
  send,
  onClose,
}: AccountDialogProps<T>) {
  const [form] = Form.useForm<T>()
  const wide = Grid.useBreakpoint().md ?? true
  const unsaved = useUnsaved()
  const { busy, run } = useTask()
  const { done, failed } = useFeedback()
  const submit = (values: T) =>
    run(async () => {
      try {
        await send(values)
        unsaved.saved()
        done(`${deed}成功`)
        onClose()
      } catch (error) {
        const fields = keys.map((key) => ({ key }))
        if (!showProblems(form, fields, error, blame)) failed(deed, error)
      }
    })
  return (
    <Modal
      open
      title={title}
      width={wide ? 'max(30vw, 360px)' : '100%'}
      okText="保存"
      okButtonProps={{ loading: busy }}
      onOk={() => form.submit()}
      onCancel={() => unsaved.leave(onClose)}
      mask={{ closable: false }}
    >
      <Form
        form={form}
        layout="vertical"
        validateTrigger="onBlur"
        initialValues={initial}
        onValuesChange={unsaved.touched}
        onFinish={(values) => void submit(values)}
      >
        {children(form)}
        <button type="submit" hidden>
          保存
        </button>
      </Form>
    </Modal>
  )
}
