import { Alert, Button, Flex, Form, Typography } from 'antd'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Config } from '#shared/contract/system.ts'
import { ApiError } from '#shared/errors.ts'
import { findField, isAwaited } from '#shared/settings.ts'
import { type Field, fromText, toText } from '#shared/setting-fields.ts'
import { reasonOf, useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { useMay } from '#web/admin/engine/gate.ts'
import { useUnsaved } from '#web/admin/engine/unsaved.ts'
import { hints } from '#web/admin/settings/hints.ts'
import { settingControl } from '#web/admin/settings/setting-control.tsx'
import { api } from '#web/lib/api.ts'

type Value = string | number | boolean | string[] | null
type Values = Record<string, Value>

interface Setting {
  name: string
  row: Config
  field: Field
}

/** One group of settings, as the catalogue describes it. */
export function SettingsForm({ group, rows }: { group: string; rows: Config[] }) {
  const [form] = Form.useForm<Values>()
  const [touched, setTouched] = useState(false)
  const { revalidate } = useRevalidator()
  const editable = useMay().call(contract.settings.update)
  const unsaved = useUnsaved()
  const { busy, run } = useTask()
  const { done, warned, failed } = useFeedback()
  const settings = rows.flatMap((row): Setting[] => {
    const field = findField(row.category, row.name)
    return field ? [{ name: row.name, row, field }] : []
  })
  const clean = () => {
    unsaved.saved()
    setTouched(false)
  }
  const save = (values: Values) =>
    run(async () => {
      const config = settings.map(({ name, row }) => ({ category: row.category, name, value: textOf(values[name]) }))
      try {
        await api(contract.settings.update, { config })
        clean()
        done(hints[group]?.saved?.(values) ?? '设置已保存，立即生效')
        // The site's own name and colour may be among them.
        await revalidate()
      } catch (error) {
        const stored = isUnsentTest(error)
        if (stored) clean()
        const named = namedProblems(error, settings)
        form.setFields(named)
        if (named[0]) form.scrollToField(named[0].name, { block: 'center' })
        if (stored) warned(`设置已保存，但${reasonOf(error)}`)
        else failed('保存', error)
      }
    })
  return (
    <Form
      form={form}
      layout="vertical"
      disabled={!editable}
      validateTrigger="onBlur"
      scrollToFirstError={{ block: 'center', focus: true }}
      initialValues={Object.fromEntries(settings.map(({ name, field, row }) => [name, valueOf(field, row.value)]))}
      onValuesChange={() => {
        unsaved.touched()
        setTouched(true)
      }}
      onFinish={(values) => void save(values)}
      className="wa-sheet wa-settings"
    >
      <AwaitedNotice settings={settings} />
      <GroupHint group={group} />
      <div className="wa-grid">
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
      <Flex align="center" gap={12} className="wa-save">
        <Button type="primary" htmlType="submit" loading={busy} disabled={!editable || !touched}>
          保存设置
        </Button>
        <Typography.Text type={touched ? 'warning' : 'secondary'}>{stateOf(editable, touched)}</Typography.Text>
      </Flex>
    </Form>
  )
}

function GroupHint({ group }: { group: string }) {
  const may = useMay()
  const hint = hints[group]
  if (!hint) return null
  const more = hint.more && may.open(hint.more.page) && <Link to={hint.more.page}>{hint.more.label}</Link>
  const words = (
    <>
      {hint.text} {more}
    </>
  )
  return <Alert type="info" showIcon title={words} className="wa-hint" />
}

/** Nobody should look for the effect of what has none yet. */
function AwaitedNotice({ settings }: { settings: Setting[] }) {
  const awaited = settings.filter(({ row }) => isAwaited(row.category, row.name))
  if (awaited.length === 0) return null
  const which = awaited.length === settings.length ? '这些设置' : awaited.map(({ row }) => `“${row.label}”`).join('、')
  const title = `本版本还没有用到${which}：可以先填写并保存，但暂时没有效果。`
  return <Alert type="warning" showIcon title={title} className="wa-hint" />
}

function stateOf(editable: boolean, touched: boolean): string {
  if (!editable) return '您没有修改设置的权限'
  return touched ? '有未保存的修改' : '没有未保存的修改'
}

/** Settings travel as text. An emptied number is no number. */
function textOf(value: Value | undefined): string {
  return value === null || value === undefined ? '' : toText(value)
}

function valueOf(field: Field, text: string): Value {
  const read = fromText(field, text)
  return 'value' in read ? read.value : text
}

function check(field: Field, value: Value): void {
  const read = fromText(field, textOf(value))
  // The sentence names the field for those who read it elsewhere; here it stands beside it.
  if ('problem' in read) throw new Error(read.problem.replace(`${field.label}：`, ''))
}

/** The settings are stored before the test mail goes out. */
function isUnsentTest(error: unknown): boolean {
  return error instanceof ApiError && error.reason.startsWith('mail.')
}

function namedProblems(error: unknown, settings: Setting[]): { name: string; errors: string[] }[] {
  if (!(error instanceof ApiError)) return []
  return error.details.flatMap(({ field, message }) => {
    const key = field.split('.').at(-1)
    const setting = settings.find(({ name }) => name === key)
    return setting ? [{ name: setting.name, errors: [message.replace(`${setting.field.label}：`, '')] }] : []
  })
}
