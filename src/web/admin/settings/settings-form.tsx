import { Alert, Button, Flex, Form, Typography } from 'antd'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Config } from '#shared/contract/settings.ts'
import { ApiError } from '#shared/errors.ts'
import { findField } from '#shared/settings.ts'
import { type Field, fromText, toText } from '#shared/setting-fields.ts'
import { getErrorMessage, useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { useUnsavedChanges } from '#web/admin/engine/forms/use-unsaved-changes.ts'
import { hints } from '#web/admin/settings/hints.ts'
import styles from '#web/admin/settings/settings.module.css'
import { settingControl } from '#web/admin/settings/setting-control.tsx'
import { api } from '#web/lib/api.ts'

type Value = string | number | boolean | string[] | null
type Values = Record<string, Value>

interface Setting {
  name: string
  row: Config
  field: Field
}

/** A group of settings, as the catalogue describes it. */
export function SettingsForm({ group, rows }: { group: string; rows: Config[] }) {
  const [form] = Form.useForm<Values>()
  const [isDirty, setDirty] = useState(false)
  const { revalidate } = useRevalidator()
  const isEditable = usePermissions().canCall(contract.settings.update)
  const unsaved = useUnsavedChanges()
  const { busy, run } = useTask()
  const { showSuccess, showWarning, showError } = useFeedback()
  const settings = rows.flatMap((row): Setting[] => {
    const field = findField(row.category, row.name)
    return field ? [{ name: row.name, row, field }] : []
  })
  const markSaved = () => {
    unsaved.markSaved()
    setDirty(false)
  }
  const save = (values: Values) =>
    run(async () => {
      const config = settings.map(({ name, row }) => ({
        category: row.category,
        name,
        value: toSettingText(values[name]),
      }))
      try {
        await api(contract.settings.update, { config })
        markSaved()
        showSuccess(hints[group]?.successMessage?.(values) ?? '设置已保存，立即生效')
        // The site's name and colour may have changed.
        await revalidate()
      } catch (error) {
        const isSaved = isTestMailFailure(error)
        if (isSaved) markSaved()
        const fieldErrors = toFieldErrors(error, settings)
        form.setFields(fieldErrors)
        if (fieldErrors[0]) form.scrollToField(fieldErrors[0].name, { block: 'center' })
        if (isSaved) showWarning(`设置已保存，但${getErrorMessage(error)}`)
        else showError('保存', error)
      }
    })
  return (
    <Form
      form={form}
      layout="vertical"
      disabled={!isEditable}
      validateTrigger="onBlur"
      scrollToFirstError={{ block: 'center', focus: true }}
      initialValues={Object.fromEntries(settings.map(({ name, field, row }) => [name, parseSetting(field, row.value)]))}
      onValuesChange={() => {
        unsaved.markDirty()
        setDirty(true)
      }}
      onFinish={(values) => void save(values)}
      className={styles.form}
    >
      <GroupHint group={group} />
      <div className={styles.grid}>
        {settings.map(({ name, row, field }) => (
          <Form.Item
            key={name}
            name={name}
            label={row.label}
            extra={row.placeholder || undefined}
            rules={[{ validator: async (_rule, value: Value) => check(field, value) }]}
            style={{ gridColumn: `span ${row.col_num || 24}` }}
          >
            {settingControl(name, field)}
          </Form.Item>
        ))}
      </div>
      <Flex align="center" gap={12} className={styles.save}>
        <Button type="primary" htmlType="submit" loading={busy} disabled={!isEditable || !isDirty}>
          保存设置
        </Button>
        <Typography.Text type={isDirty ? 'warning' : 'secondary'}>{describeState(isEditable, isDirty)}</Typography.Text>
      </Flex>
    </Form>
  )
}

function GroupHint({ group }: { group: string }) {
  const { canOpen } = usePermissions()
  const hint = hints[group]
  if (!hint) return null
  const { text, link } = hint
  const title = (
    <>
      {text}{' '}
      {link && canOpen(link.page) && (
        <Link to={link.page} className={styles.hintLink}>
          {link.label}
        </Link>
      )}
    </>
  )
  return <Alert type="info" showIcon title={title} className={styles.hint} />
}

function describeState(isEditable: boolean, isDirty: boolean): string {
  if (!isEditable) return '您没有修改设置的权限'
  return isDirty ? '有未保存的修改' : '没有未保存的修改'
}

/** The API takes settings as text; an emptied number is the empty text. */
function toSettingText(value: Value | undefined): string {
  return value === null || value === undefined ? '' : toText(value)
}

function parseSetting(field: Field, text: string): Value {
  const parsed = fromText(field, text)
  return 'value' in parsed ? parsed.value : text
}

function check(field: Field, value: Value): void {
  const parsed = fromText(field, toSettingText(value))
  // The message names its field for other places; here it is shown at the field.
  if ('problem' in parsed) throw new Error(parsed.problem.replace(`${field.label}：`, ''))
}

/** The settings are saved before the test mail is sent. */
function isTestMailFailure(error: unknown): boolean {
  return error instanceof ApiError && error.reason.startsWith('mail.')
}

function toFieldErrors(error: unknown, settings: Setting[]): { name: string; errors: string[] }[] {
  if (!(error instanceof ApiError)) return []
  return error.details.flatMap(({ field, message }) => {
    const key = field.split('.').at(-1)
    const setting = settings.find(({ name }) => name === key)
    return setting ? [{ name: setting.name, errors: [message.replace(`${setting.field.label}：`, '')] }] : []
  })
}
