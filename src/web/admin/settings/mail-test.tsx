import { SendOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Form, Input, Select } from 'antd'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { ApiError } from '#shared/errors.ts'
import { email } from '#shared/fields.ts'
import { type MailTemplate, mailTemplateNames, mailTemplates } from '#shared/mail-templates.ts'
import { getErrorMessage, useTask } from '#web/admin/engine/feedback.ts'
import { itemId } from '#web/admin/settings/found-setting.ts'
import styles from '#web/admin/settings/settings.module.css'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'

/** The setting that has the recipient. It is saved only by clients that have no button for a test. */
export const testAddress = 'test_email'

interface MailTestProps {
  /** The address that was used before. */
  address: string
  hasChoice: boolean
  isFound: boolean
  /** The values of the form; undefined if some of them are not valid. */
  readChanges: () => Promise<{ category: string; name: string; value: string }[] | undefined>
  onFailed: (error: unknown) => void
}

type Result = { type: 'success' | 'error'; title: string }

/** Sends a mail with the values of the form, which need not be saved. */
export function MailTest({ address, hasChoice, isFound, readChanges, onFailed }: MailTestProps) {
  const { user } = useSession()
  const [to, setTo] = useState(address || user.email)
  const [template, setTemplate] = useState<MailTemplate>(hasChoice ? 'register-code' : 'test')
  const [problem, setProblem] = useState('')
  const [result, setResult] = useState<Result>()
  const resultBox = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result) resultBox.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  const { busy, run } = useTask()
  const send = () =>
    run(async () => {
      setResult(undefined)
      const wrong = email.safeParse(to).error?.issues[0]?.message
      setProblem(wrong ?? '')
      const config = wrong === undefined ? await readChanges() : undefined
      if (!config) return
      try {
        await api(contract.mailTests.send, { config, to, template })
        setResult({ type: 'success', title: `测试邮件已发送到 ${to}，请查收；填写的内容没有因此保存` })
      } catch (error) {
        setResult({ type: 'error', title: getErrorMessage(error) })
        setProblem(findRecipientProblem(error))
        onFailed(error)
      }
    })
  const onEnter = (event: KeyboardEvent) => {
    // Not the form's own button, which saves.
    event.preventDefault()
    void send()
  }
  return (
    <section className={styles.section} aria-labelledby="mail-test">
      <h2 id="mail-test" className={styles.sectionTitle}>
        发送测试
      </h2>
      <Flex gap={12} align="start" wrap>
        {hasChoice && (
          <Form.Item label="邮件" htmlFor="mail-test-template" className={styles.testField}>
            <Select
              id="mail-test-template"
              value={template}
              options={mailTemplateNames.map((value) => ({ value, label: mailTemplates[value].title }))}
              onChange={setTemplate}
            />
          </Form.Item>
        )}
        <div id={itemId(testAddress)} className={[styles.testField, isFound && styles.found].filter(Boolean).join(' ')}>
          <Form.Item
            label="测试收件邮箱"
            htmlFor="mail-test-to"
            {...(problem && { validateStatus: 'error', help: problem })}
          >
            <Input
              id="mail-test-to"
              value={to}
              maxLength={64}
              autoComplete="off"
              onChange={(event) => {
                setTo(event.target.value)
                setProblem('')
              }}
              onPressEnter={onEnter}
            />
          </Form.Item>
        </div>
        <Form.Item label={<>&nbsp;</>} colon={false} className={styles.testButton}>
          <Button icon={<SendOutlined />} loading={busy} onClick={() => void send()}>
            发送测试邮件
          </Button>
        </Form.Item>
      </Flex>
      <div ref={resultBox} className={styles.testResult}>
        {result && <Alert showIcon {...result} className={styles.hint} />}
      </div>
    </section>
  )
}

function findRecipientProblem(error: unknown): string {
  if (!(error instanceof ApiError)) return ''
  return error.details.find(({ field }) => field === 'email.test_email')?.message ?? ''
}
