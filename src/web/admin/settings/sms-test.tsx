import { SendOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Form, Input, Select } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { allCodes } from '#shared/codes.ts'
import { CodeScene, codeSceneLabels, type SignInScene, signInScenes } from '#shared/enums.ts'
import { mobile } from '#shared/fields.ts'
import { getErrorMessage, useTask } from '#web/admin/engine/feedback.ts'
import styles from '#web/admin/settings/settings.module.css'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'

interface SmsTestProps {
  /** The values of the form; undefined if some of them are not valid. */
  readChanges: () => Promise<{ category: string; name: string; value: string }[] | undefined>
  onFailed: (error: unknown) => void
}

/** Sends a real message with the values of the form, which need not be saved. */
export function SmsTest({ readChanges, onFailed }: SmsTestProps) {
  const { user } = useSession()
  const [to, setTo] = useState(user.mobile)
  const [scene, setScene] = useState<SignInScene>(CodeScene.Register)
  const [problem, setProblem] = useState('')
  const [result, setResult] = useState<{ type: 'success' | 'error'; title: string }>()
  const { busy, run } = useTask()
  const send = () =>
    run(async () => {
      setResult(undefined)
      const wrong = mobile.safeParse(to).error?.issues[0]?.message
      setProblem(wrong ?? '')
      const config = wrong === undefined ? await readChanges() : undefined
      if (!config) return
      try {
        await api(contract.smsTests.send, { config, mobile: to, scene })
        setResult({ type: 'success', title: `服务商已接受发往 ${to} 的测试短信，请查收；填写的内容没有因此保存` })
      } catch (error) {
        setResult({ type: 'error', title: getErrorMessage(error) })
        onFailed(error)
      }
    })
  const onEnter = (event: KeyboardEvent) => {
    // Not the form's own button, which saves.
    event.preventDefault()
    void send()
  }
  return (
    <section className={styles.section} aria-labelledby="sms-test">
      <h2 id="sms-test" className={styles.sectionTitle}>
        发送测试
      </h2>
      <Flex gap={12} align="start" wrap>
        <Form.Item label="模板" htmlFor="sms-test-scene" className={styles.testField}>
          <Select
            id="sms-test-scene"
            value={scene}
            options={allCodes(signInScenes).map((value) => ({ value, label: codeSceneLabels[value] }))}
            onChange={setScene}
          />
        </Form.Item>
        <div className={styles.testField}>
          <Form.Item
            label="测试手机号"
            htmlFor="sms-test-to"
            {...(problem && { validateStatus: 'error', help: problem })}
          >
            <Input
              id="sms-test-to"
              value={to}
              maxLength={11}
              inputMode="numeric"
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
            发送测试短信
          </Button>
        </Form.Item>
      </Flex>
      <div aria-live="polite" className={styles.testResult}>
        {result && <Alert showIcon {...result} className={styles.hint} />}
      </div>
    </section>
  )
}
