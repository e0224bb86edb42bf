import { Form, type FormInstance } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Endpoint } from '#shared/endpoint.ts'
import styles from '#web/admin/engine/forms/forms.module.css'
import { isRequired, sectionFields, toRule, unfoldField } from '#web/admin/engine/forms/validation.ts'
import type { Field, FormSection } from '#web/admin/resource.ts'

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
  const values: FormValues = { ...initial, ...initialValues, ...Form.useWatch([], form) }
  const parts = Map.groupBy(
    fields.filter(({ isShown }) => isShown?.(values) ?? true),
    ({ section }) => section,
  )
  return (
    <Form
      form={form}
      layout="vertical"
      validateTrigger="onBlur"
      scrollToFirstError={{ block: 'center', focus: true }}
      initialValues={initialValues}
      onValuesChange={onChange}
      onFinish={onSubmit}
      onFinishFailed={({ errorFields }) => {
        for (const { name } of errorFields) unfoldField(String(name[0]))
      }}
      className={styles.fields}
    >
      {[...parts].map(([section, members]) => {
        const items = members.map((field) => <FieldItem key={field.key} endpoint={endpoint} field={field} />)
        if (!section) return items
        return (
          <Section key={section.title} section={section} fields={members} initialValues={initialValues}>
            {items}
          </Section>
        )
      })}
      {/* Enter in a field submits only where the form has a submit button. */}
      <button type="submit" hidden>
        保存
      </button>
    </Form>
  )
}

function FieldItem({ endpoint, field }: { endpoint: Endpoint; field: Field }) {
  return (
    <Form.Item
      name={field.key}
      label={field.label}
      extra={field.help}
      required={isRequired(endpoint, field)}
      rules={[toRule(endpoint, field)]}
      className={field.half ? styles.half : undefined}
    >
      {field.control}
    </Form.Item>
  )
}

interface SectionProps {
  section: FormSection
  fields: readonly Field[]
  initialValues: FormValues
  children: ReactNode
}

/** A folded one is open from the start where something in it was filled in before. */
function Section({ section: { title, hint, isFolded }, fields, initialValues, children }: SectionProps) {
  const [isOpen] = useState(() => fields.some(({ key, empty }) => !isSame(initialValues[key], empty)))
  const content = (
    <>
      {hint && <p className={styles.sectionHint}>{hint}</p>}
      <div className={styles.fields}>{children}</div>
    </>
  )
  if (!isFolded) {
    return (
      <section className={styles.section}>
        <h3 className={styles.sectionTitle}>{title}</h3>
        {content}
      </section>
    )
  }
  return (
    <details className={styles.section} open={isOpen} {...{ [sectionFields]: fields.map(({ key }) => key).join(' ') }}>
      <summary className={styles.sectionTitle}>{title}</summary>
      {content}
    </details>
  )
}

function isSame(value: unknown, empty: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(empty)
}
