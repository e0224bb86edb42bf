import { Alert, Button, Flex, Form, type FormInstance, Typography } from 'antd'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Config } from '#shared/contract/settings.ts'
import { nameCreditsOf } from '#shared/credit-name.ts'
import { findField } from '#shared/settings.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { useUnsavedChanges } from '#web/admin/engine/forms/use-unsaved-changes.ts'
import { itemId, useFoundSetting } from '#web/admin/settings/found-setting.ts'
import { AppearancePreview } from '#web/admin/settings/appearance-preview.tsx'
import { CallbackAddresses, MiniProgramDomains } from '#web/admin/settings/addresses.tsx'
import { DomainWarning } from '#web/admin/settings/pay/domain-warning.tsx'
import { usePriceQuestions } from '#web/admin/settings/pay/use-price-questions.tsx'
import { ProviderFacts, TransferFacts, VipFacts } from '#web/admin/settings/pay/provider-facts.tsx'
import { ProviderTest, providerOfSection } from '#web/admin/settings/pay/provider-test.tsx'
import { TrialOrders } from '#web/admin/settings/pay/trial-orders.tsx'
import { WeChatKeys } from '#web/admin/settings/pay/wechat-keys.tsx'
import { hints, sectionHelp } from '#web/admin/settings/hints.ts'
import { MailTest, testAddress } from '#web/admin/settings/mail-test.tsx'
import { findTemplate, MailTextTools } from '#web/admin/settings/mail-text-tools.tsx'
import { SmsTest } from '#web/admin/settings/sms-test.tsx'
import { switchesOf, toSections } from '#web/admin/settings/sections.ts'
import styles from '#web/admin/settings/settings.module.css'
import { settingControl } from '#web/admin/settings/setting-control.tsx'
import {
  checkValue,
  helpOf,
  type Setting,
  titleOf,
  toChanges,
  toFieldErrors,
  toFormValue,
  type Value,
  type Values,
} from '#web/admin/settings/setting-values.ts'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'

/** A group of settings, as the catalogue describes it. */
export function SettingsForm({ group, rows }: { group: string; rows: Config[] }) {
  const [form] = Form.useForm<Values>()
  const [isDirty, setDirty] = useState(false)
  const [endings, setEndings] = useState(0)
  const { revalidate } = useRevalidator()
  const isEditable = usePermissions().canCall(contract.settings.update)
  const unsaved = useUnsavedChanges()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const found = useFoundSetting()
  const creditName = useCreditName()
  const settings = toSettings(rows, creditName)
  // Some texts follow others: once a change is saved, the form shows what is in force.
  useEffect(() => {
    if (!isDirty) form.setFieldsValue(initialValues(toSettings(rows, creditName)))
  }, [form, isDirty, rows, creditName])
  const isOn = (name: string) => rows.find((row) => row.name === name)?.value === 'true'
  const markDirty = () => {
    unsaved.markDirty()
    setDirty(true)
  }
  const showFieldErrors = (error: unknown) => {
    const fieldErrors = toFieldErrors(error, settings)
    form.setFields(fieldErrors)
    unfold(fieldErrors.map(({ name }) => name))
    return fieldErrors[0]
  }
  const confirmPrices = usePriceQuestions(rows)
  const save = (values: Values) =>
    run(async () => {
      const changes = toChanges(settings, values)
      if (!(await confirmPrices(changes))) return
      try {
        await api(contract.settings.update, { config: changes })
        unsaved.markSaved()
        if (isOn('test_mode') && !values['test_mode']) setEndings((count) => count + 1)
        setDirty(false)
        showSuccess('设置已保存，立即生效')
        // The site's name and colour may have changed.
        await revalidate()
      } catch (error) {
        const first = showFieldErrors(error)
        if (first) form.scrollToField(first.name, { block: 'center' })
        showError('保存', error)
      }
    })
  const readChanges = async () => {
    try {
      return toChanges(settings, await form.validateFields())
    } catch {
      unfold(settings.map(({ name }) => name).filter((name) => form.getFieldError(name).length > 0))
      return undefined
    }
  }
  return (
    <Form
      form={form}
      layout="vertical"
      disabled={!isEditable}
      validateTrigger="onBlur"
      scrollToFirstError={{ block: 'center', focus: true }}
      initialValues={initialValues(settings)}
      onValuesChange={markDirty}
      onFinish={(values) => void save(values)}
      onFinishFailed={({ errorFields }) => unfold(errorFields.flatMap(({ name }) => name))}
      className={styles.form}
    >
      <GroupHint group={group} />
      <UnreadableSecrets settings={settings} />
      {group === 'pay' && <DomainWarning />}
      {group === 'oauth' && <CallbackAddresses />}
      {group === 'miniprogram' && <MiniProgramDomains />}
      <Sections
        {...{ group, settings, found, form, isEditable, readChanges, endings }}
        onEdited={markDirty}
        onTestFailed={showFieldErrors}
      />
      {isEditable && (group === 'email' || group === 'mail_text') && (
        <MailTest
          address={rows.find(({ name }) => name === testAddress)?.value ?? ''}
          hasChoice={group === 'mail_text'}
          isFound={found === testAddress}
          readChanges={readChanges}
          onFailed={showFieldErrors}
        />
      )}
      {isEditable && group === 'sms' && <SmsTest readChanges={readChanges} onFailed={showFieldErrors} />}
      <Flex align="center" gap={12} className={styles.save}>
        <Button type="primary" htmlType="submit" loading={busy} disabled={!isEditable || !isDirty}>
          保存设置
        </Button>
        <Typography.Text strong={isDirty} {...(!isDirty && { type: 'secondary' })}>
          {describeState(isEditable, isDirty)}
        </Typography.Text>
      </Flex>
    </Form>
  )
}

function toSettings(rows: readonly Config[], creditName: string): Setting[] {
  return rows.flatMap((row): Setting[] => {
    const field = findField(row.category, row.name)
    return field && row.name !== testAddress ? [{ name: row.name, row, field: nameCreditsOf(field, creditName) }] : []
  })
}

function initialValues(settings: readonly Setting[]): Values {
  return Object.fromEntries(settings.map((setting) => [setting.name, toFormValue(setting)]))
}

interface SectionsProps {
  group: string
  settings: readonly Setting[]
  /** The name of the setting to mark. */
  found: string
  form: FormInstance<Values>
  isEditable: boolean
  /** How often the trial of payments was switched off here. */
  endings: number
  onEdited: () => void
  readChanges: () => Promise<ReturnType<typeof toChanges> | undefined>
  onTestFailed: (error: unknown) => void
}

function Sections({ group, settings, found, readChanges, onTestFailed, endings, ...tools }: SectionsProps) {
  const sections = toSections(
    group,
    settings.map(({ name }) => name),
  )
  return sections.map(({ title, isFolded, names }) => {
    const template = findTemplate(group, names)
    const items = settings.filter(({ name }) => names.includes(name))
    const provider = providerOfSection(group, names)
    return (
      <Section
        key={names[0]}
        title={title}
        help={sectionHelp[`${group}.${names[0]}`]}
        fold={isFolded && { isOpen: names.includes(found) }}
        aside={template && <MailTextTools template={template} {...tools} />}
      >
        {provider && <ProviderFacts provider={provider} form={tools.form} />}
        {group === 'vip' && names.includes('enable') && <VipFacts form={tools.form} />}
        {names.includes('enable_bank_card') && <TransferFacts form={tools.form} />}
        {items.some(({ name }) => switchesOf(group, name).length > 0) ? (
          <FoldedItems {...{ group, items, found }} form={tools.form} />
        ) : (
          items.map((setting) => <SettingItem key={setting.name} setting={setting} isFound={setting.name === found} />)
        )}
        {provider && tools.isEditable && <ProviderTest {...{ provider, readChanges }} onFailed={onTestFailed} />}
        {provider === 'wechat' && <WeChatKeys />}
        {names.includes('test_mode') && <TrialOrders endings={endings} />}
        {names.includes('palette') && <AppearancePreview />}
      </Section>
    )
  })
}

interface FoldedItemsProps {
  group: string
  items: readonly Setting[]
  found: string
  form: FormInstance<Values>
}

/** Settings of what is switched off are folded, as they do nothing. */
function FoldedItems({ group, items, found, form }: FoldedItemsProps) {
  const values = Form.useWatch([], form)
  const isIdle = ({ name }: Setting) => {
    const needed = switchesOf(group, name)
    return needed.length > 0 && !needed.some((key) => (values ? values[key] : form.getFieldValue(key)))
  }
  const idle = items.filter(isIdle)
  const show = (setting: Setting) => (
    <SettingItem key={setting.name} setting={setting} isFound={setting.name === found} />
  )
  return (
    <>
      {items.filter((setting) => !isIdle(setting)).map(show)}
      {idle.length > 0 && (
        <details className={styles.wide} open={idle.some(({ name }) => name === found)}>
          <summary className={styles.idle}>没有打开，设置已收起（{idle.length} 项）</summary>
          <div className={styles.grid}>{idle.map(show)}</div>
        </details>
      )}
    </>
  )
}

interface SectionProps {
  title: string | undefined
  help: string | undefined
  fold: { isOpen: boolean } | undefined
  aside: ReactNode
  children: ReactNode
}

function Section({ title, help, fold, aside, children }: SectionProps) {
  const id = useId()
  const fields = <div className={styles.grid}>{children}</div>
  if (title === undefined) return fields
  if (fold) {
    return (
      <details className={styles.section} open={fold.isOpen}>
        <summary className={styles.fold}>{title}</summary>
        {fields}
      </details>
    )
  }
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.sectionTitle}>
        {title}
      </h2>
      {help && <p className={styles.note}>{help}</p>}
      {aside ? (
        <div className={styles.beside}>
          {fields}
          {aside}
        </div>
      ) : (
        fields
      )}
    </section>
  )
}

/** A problem must not stay hidden in a folded section. */
function unfold(names: readonly (string | number)[]): void {
  for (const name of names) {
    const folded = document.getElementById(itemId(String(name)))?.closest('details')
    if (folded) folded.open = true
  }
}

function SettingItem({ setting, isFound }: { setting: Setting; isFound: boolean }) {
  const { name, row, field } = setting
  return (
    <div
      id={itemId(name)}
      tabIndex={-1}
      className={isFound ? styles.found : undefined}
      style={{ gridColumn: `span ${row.col_num || 24}` }}
    >
      <Form.Item
        name={name}
        label={titleOf(setting)}
        extra={row.problem ? <span className={styles.lost}>需要重新填写</span> : helpOf(setting) || undefined}
        rules={[{ validator: async (_rule, value: Value) => checkValue(setting, value) }]}
      >
        {settingControl(name, field)}
      </Form.Item>
    </div>
  )
}

/** Secrets that were saved and cannot be decrypted: they are not in force. */
function UnreadableSecrets({ settings }: { settings: readonly Setting[] }) {
  const unreadable = settings.filter(({ row }) => row.problem)
  if (unreadable.length === 0) return null
  const problems = [...new Set(unreadable.map(({ row }) => row.problem))]
  return (
    <Alert
      type="error"
      showIcon
      title={`以下设置无法解密，现在没有生效：${unreadable.map(({ row }) => row.label).join('、')}`}
      description={problems.map((problem) => (
        <div key={problem}>{problem}。</div>
      ))}
      className={styles.hint}
    />
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
