import { Form, type FormInstance } from 'antd'
import type { Endpoint } from '#shared/endpoint.ts'
import styles from '#web/admin/engine/forms/forms.module.css'
import { isRequired, toRule } from '#web/admin/engine/forms/validation.ts'
import type { Field } from '#web/admin/resource.ts'

export type FormValues = Record<string, unknown>

interface ResourceFormProps {
  form: FormInstance<FormValues>
  endpoint: Endpoint
  fields: readonly Field[]
  initial: FormValues
  onChange?: () => void
  onSubmit: (values: FormValues) => void
}

export function ResourceForm({ form, endpoint, fields, initial, onChange, onSubmit }: ResourceFormProps) {
  const initialValues = Object.fromEntries(fields.map(({ key, empty }) => [key, initial[key] ?? empty]))
  // Before the first change there is nothing to watch yet.
  const values: FormValues = { ...initialValues, ...Form.useWatch([], form) }
  return (
    <Form
      form={form}
      layout="vertical"
      validateTrigger="onBlur"
      scrollToFirstError={{ block: 'center', focus: true }}
      initialValues={initialValues}
      onValuesChange={onChange}
      onFinish={onSubmit}
      className={styles.fields}
    >
      {fields
        .filter(({ isShown }) => isShown?.(values) ?? true)
        .map((field) => (
          <Form.Item
            key={field.key}
            name={field.key}
            label={field.label}
            extra={field.help}
            required={isRequired(endpoint, field)}
            rules={[toRule(endpoint, field)]}
            className={field.half ? styles.half : undefined}
          >
            {field.control}
          </Form.Item>
        ))}
      {/* Enter in a field submits only where the form has a submit button. */}
      <button type="submit" hidden>
        保存
      </button>
    </Form>
  )
}
