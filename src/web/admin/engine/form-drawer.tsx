import { Button, Drawer, Flex, Form } from 'antd'
import type { Endpoint } from '#shared/endpoint.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { ResourceForm, type Values } from '#web/admin/engine/resource-form.tsx'
import { Waiting } from '#web/admin/engine/states.tsx'
import { useUnsaved } from '#web/admin/engine/unsaved.ts'
import { type Blame, showProblems } from '#web/admin/engine/validation.ts'
import type { Field } from '#web/admin/resource.ts'

interface FormDrawerProps {
  title: string
  /** What is being done, for the sentences about it: 新增用户组. */
  deed: string
  endpoint: Endpoint
  fields: readonly Field[]
  blame?: Blame
  load: () => Promise<Values>
  send: (values: Values) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}

export function FormDrawer({ title, deed, endpoint, fields, blame, load, send, onClose, onDone }: FormDrawerProps) {
  const [form] = Form.useForm<Values>()
  const initial = useAnswer(load)
  const unsaved = useUnsaved()
  const { busy, run } = useTask()
  const { done, failed } = useFeedback()
  const close = () => unsaved.leave(onClose)
  const submit = (values: Values) =>
    run(async () => {
      try {
        // Updates replace the whole row, so what the form does not show goes back as it came.
        await send({ ...initial.data, ...values })
        unsaved.saved()
        done(`${deed}成功`)
        onDone()
      } catch (error) {
        if (!showProblems(form, fields, error, blame)) failed(deed, error)
      }
    })
  return (
    <Drawer
      open
      title={title}
      size={520}
      onClose={close}
      className="wa-drawer"
      footer={
        <Flex justify="flex-end" gap={8}>
          <Button onClick={close}>取消</Button>
          <Button type="primary" loading={busy} disabled={!initial.data} onClick={() => form.submit()}>
            保存
          </Button>
        </Flex>
      }
    >
      <Waiting answer={initial}>
        {(values) => (
          <ResourceForm
            form={form}
            endpoint={endpoint}
            fields={fields}
            initial={values}
            onTouched={unsaved.touched}
            onSubmit={(entered) => void submit(entered)}
          />
        )}
      </Waiting>
    </Drawer>
  )
}
