import { Form, type FormInstance } from 'antd'
import type { Endpoint } from '#shared/endpoint.ts'
import { isRequired, ruleOf } from '#web/admin/engine/validation.ts'
import type { Field } from '#web/admin/resource.ts'

export type Values = Record<string, unknown>

interface ResourceFormProps {
  form: FormInstance<Values>
  endpoint: Endpoint
  fields: readonly Field[]
  initial: Values
  onTouched?: () => void
  onSubmit: (values: Values) => void
}

export function ResourceForm({ form, endpoint, fields, initial, onTouched, onSubmit }: ResourceFormProps) {
  return (
    <Form
      form={form}
      layout="vertical"
      validateTrigger="onBlur"
      scrollToFirstError={{ block: 'center', focus: true }}
      initialValues={Object.fromEntries(fields.map(({ key, empty }) => [key, initial[key] ?? empty]))}
      onValuesChange={onTouched}
      onFinish={onSubmit}
      className="wa-fields"
    >
      {fields.map((field) => (
        <Form.Item
          key={field.key}
          name={field.key}
          label={field.label}
          extra={field.help}
          required={isRequired(endpoint, field)}
          rules={[ruleOf(endpoint, field)]}
          className={field.half ? 'wa-half' : undefined}
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
