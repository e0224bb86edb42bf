import { Form, type FormInstance, Grid, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { Waiting } from '#web/admin/engine/states.tsx'
import { showProblems } from '#web/admin/engine/validation.ts'
import { useUnsaved } from '#web/admin/engine/unsaved.ts'

interface AccountDialogProps<T> {
  title: string
  deed: string
  load: () => Promise<Partial<T>>
  /** Keys the server may complain about. */
  keys: readonly (keyof T & string)[]
  blame?: Record<string, keyof T & string>
  children: (form: FormInstance<T>, initial: Partial<T>) => ReactNode
  send: (values: T) => Promise<void>
  onClose: () => void
  onDone: () => void
}

/** A form about oneself, 30 % wide; the whole width on phones. */
export function AccountDialog<T extends object>({
  title,
  deed,
  load,
  keys,
  blame,
  children,
  send,
  onClose,
  onDone,
}: AccountDialogProps<T>) {
  const [form] = Form.useForm<T>()
  const initial = useAnswer(load)
  const wide = Grid.useBreakpoint().md ?? true
  const unsaved = useUnsaved()
  const { busy, run } = useTask()
  const { done, failed } = useFeedback()
  const submit = (values: T) =>
    run(async () => {
      try {
        await send({ ...initial.data, ...values })
        unsaved.saved()
        done(`${deed}成功`)
        onDone()
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
      okButtonProps={{ loading: busy, disabled: !initial.data }}
      onOk={() => form.submit()}
      onCancel={() => unsaved.leave(onClose)}
      mask={{ closable: false }}
    >
      <Waiting answer={initial}>
        {(values) => (
          <Form
            form={form}
            layout="vertical"
            validateTrigger="onBlur"
            initialValues={values}
            onValuesChange={unsaved.touched}
            onFinish={(entered) => void submit(entered)}
          >
            {children(form, values)}
            <button type="submit" hidden>
              保存
            </button>
          </Form>
        )}
      </Waiting>
    </Modal>
  )
}
