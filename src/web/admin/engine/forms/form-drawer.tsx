import { Button, Drawer, Flex, Form } from 'antd'
import type { ComponentType } from 'react'
import type { Endpoint } from '#shared/endpoint.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import styles from '#web/admin/engine/forms/forms.module.css'
import { type FormValues, ResourceForm } from '#web/admin/engine/forms/resource-form.tsx'
import { useUnsavedChanges } from '#web/admin/engine/forms/use-unsaved-changes.ts'
import { type ErrorFields, revealField, showFieldErrors } from '#web/admin/engine/forms/validation.ts'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import type { Field, FormToolProps } from '#web/admin/resource.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface FormDrawerProps {
  title: string
  /** For the messages: 新增成功, 保存失败. */
  actionLabel: string
  endpoint: Endpoint
  fields: readonly Field[]
  errorFields?: ErrorFields
  width?: number
  tool?: ComponentType<FormToolProps<unknown>>
  load: () => Promise<FormValues>
  send: (values: FormValues) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}

export function FormDrawer({
  title,
  actionLabel,
  endpoint,
  fields,
  errorFields,
  width = 520,
  tool: Tool,
  load,
  send,
  onClose,
  onDone,
}: FormDrawerProps) {
  const [form] = Form.useForm<FormValues>()
  const initial = useQuery('initial', load)
  const unsaved = useUnsavedChanges()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const close = () => unsaved.confirmLeave(onClose)
  const submit = (values: FormValues) =>
    run(async () => {
      try {
        // An update replaces the whole row: values that the form does not show are sent back unchanged.
        await send({ ...initial.data, ...values })
        unsaved.markSaved()
        showSuccess(`${actionLabel}成功`)
        onDone()
      } catch (error) {
        if (!showFieldErrors(form, fields, error, errorFields)) showError(actionLabel, error)
      }
    })
  const read = async () => {
    try {
      return { ...initial.data, ...(await form.validateFields()) }
    } catch (problem) {
      const first = form.getFieldsError().find(({ errors }) => errors.length > 0)
      if (!first) throw problem
      revealField(form, String(first.name[0]))
      return undefined
    }
  }
  return (
    <Drawer
      open
      title={title}
      size={width}
      onClose={close}
      footer={
        <Flex justify="flex-end" gap={8}>
          {Tool && initial.data && (
            <div className={styles.tool}>
              <Tool read={read} showErrors={(error) => showFieldErrors(form, fields, error, errorFields)} />
            </div>
          )}
          <Button onClick={close}>取消</Button>
          <Button type="primary" loading={busy} disabled={!initial.data} onClick={() => form.submit()}>
            保存
          </Button>
        </Flex>
      }
    >
      <QueryState query={initial}>
        {(values) => (
          <ResourceForm
            form={form}
            endpoint={endpoint}
            fields={fields}
            initial={values}
            onChange={unsaved.markDirty}
            onSubmit={(entered) => void submit(entered)}
          />
        )}
      </QueryState>
    </Drawer>
  )
}
