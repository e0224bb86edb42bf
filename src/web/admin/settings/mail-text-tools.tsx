import { UndoOutlined } from '@ant-design/icons'
import { Button, Flex, Form, type FormInstance, Segmented, Tooltip } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import {
  type MailTemplate,
  mailTemplateNames,
  mailTemplates,
  type MailTexts,
  mailTextKeys,
  placeholdersOf,
  sampleParams,
} from '#shared/mail-templates.ts'
import { renderMail } from '#shared/render-mail.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import styles from '#web/admin/settings/settings.module.css'
import type { Values } from '#web/admin/settings/setting-values.ts'
import { useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'

/** The mail whose texts a section of the screen has. */
export function findTemplate(group: string, names: readonly string[]): MailTemplate | undefined {
  if (group !== 'mail_text') return undefined
  return mailTemplateNames.find((template) => names.includes(mailTemplates[template].keys.body))
}

interface MailTextToolsProps {
  template: MailTemplate
  form: FormInstance<Values>
  isEditable: boolean
  onEdited: () => void
}

/** Beside the texts of a mail: what they can be filled with, how the mail will look, and the way back to the default. */
export function MailTextTools({ template, form, isEditable, onEdited }: MailTextToolsProps) {
  const { keys, occasion } = mailTemplates[template]
  const texts = useTexts(form)
  const insert = (name: string) => {
    const box = document.getElementById(keys.body)
    if (!(box instanceof HTMLTextAreaElement)) return
    const { selectionStart, selectionEnd } = box
    const end = selectionStart + name.length
    form.setFieldValue(keys.body, box.value.slice(0, selectionStart) + name + box.value.slice(selectionEnd))
    onEdited()
    // The new text is in the box after the next render.
    requestAnimationFrame(() => {
      box.focus()
      box.setSelectionRange(end, end)
    })
  }
  return (
    <div className={styles.mailTools}>
      <p className={styles.note}>{occasion}时发送。可以使用的占位符，点击插入正文：</p>
      <Flex gap={6} wrap className={styles.placeholders}>
        {Object.values(placeholdersOf(template)).map(({ name, sample, required }) => (
          <Tooltip key={name} title={[sample && `如 ${sample}`, required && '正文必须有'].filter(Boolean).join('；')}>
            <Button size="small" disabled={!isEditable} onClick={() => insert(`{${name}}`)}>
              {`{${name}}`}
            </Button>
          </Tooltip>
        ))}
      </Flex>
      <MailPreview template={template} texts={texts} />
      {isEditable && <RestoreDefault template={template} texts={texts} form={form} />}
    </div>
  )
}

/** As they are in the form now. */
function useTexts(form: FormInstance<Values>): Partial<MailTexts> {
  const values = Form.useWatch((all: Values) => all, form) ?? {}
  const texts: Partial<MailTexts> = {}
  for (const key of mailTextKeys) {
    const text = values[key]
    if (typeof text === 'string') texts[key] = text
  }
  return texts
}

type View = '网页' | '纯文本'

interface MailTextProps {
  template: MailTemplate
  texts: Partial<MailTexts>
}

function MailPreview({ template, texts }: MailTextProps) {
  const [view, setView] = useState<View>('网页')
  const { sitename } = useSite().settings.system
  const { subject, text, html } = renderMail({ sitename, texts }, template, sampleParams(template))
  const { title } = mailTemplates[template]
  return (
    <figure className={styles.preview} aria-label={`${title}邮件的预览`}>
      <figcaption className={styles.previewHead}>
        <span className={styles.previewSubject}>{subject}</span>
        <Segmented<View> size="small" disabled={false} options={['网页', '纯文本']} value={view} onChange={setView} />
      </figcaption>
      {view === '网页' ? (
        <iframe title={`${title}邮件`} sandbox="" srcDoc={html} className={styles.previewFrame} />
      ) : (
        <pre className={styles.previewText}>{text}</pre>
      )}
    </figure>
  )
}

interface Texts {
  subject: string
  body: string
}

/** Saved at once, and can be undone as long as the page is open. */
function RestoreDefault({ template, texts, form }: MailTextProps & { form: FormInstance<Values> }) {
  const { keys, title, texts: defaults } = mailTemplates[template]
  const [replaced, setReplaced] = useState<Texts>()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const current = { subject: texts[keys.subject] ?? '', body: texts[keys.body] ?? '' }
  const isDefault = current.subject === defaults.subject && current.body === defaults.body
  /** An empty text is stored for the default one. */
  const write = async (next: Texts, stored: Texts) => {
    const config = [
      { category: 'mail_text', name: keys.subject, value: stored.subject },
      { category: 'mail_text', name: keys.body, value: stored.body },
    ]
    await api(contract.settings.update, { config })
    form.setFields([
      { name: keys.subject, value: next.subject, errors: [] },
      { name: keys.body, value: next.body, errors: [] },
    ])
  }
  const attempt = (task: () => Promise<void>) => run(() => task().catch((error: unknown) => showError('保存', error)))
  const restore = () =>
    attempt(async () => {
      await write(defaults, { subject: '', body: '' })
      setReplaced(current)
      showSuccess(`${title}邮件已恢复默认文案`)
    })
  const undo = (texts: Texts) =>
    attempt(async () => {
      await write(texts, texts)
      setReplaced(undefined)
      showSuccess(`${title}邮件已改回原来的文案`)
    })
  if (replaced && isDefault) {
    return (
      <Button icon={<UndoOutlined />} loading={busy} onClick={() => void undo(replaced)}>
        撤销，改回原来的文案
      </Button>
    )
  }
  return (
    <Button disabled={isDefault} loading={busy} onClick={() => void restore()}>
      恢复默认文案
    </Button>
  )
}
