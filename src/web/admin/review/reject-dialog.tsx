import { Button, Flex, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useKeys } from '#web/admin/review/keys.ts'
import type { ReviewKind } from '#web/admin/review/review-kinds.tsx'
import styles from '#web/admin/review/review.module.css'

interface RejectDialogProps {
  kind: ReviewKind
  title: string
  onReject: (reason: string) => void
  onClose: () => void
}

/** A reason to pick, by its number or a click, to type, or both: what was typed is added to what is picked. */
export function RejectDialog({ kind, title, onReject, onClose }: RejectDialogProps) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const pick = (reason: string) => onReject([reason, typed].filter(Boolean).join('：'))
  const submit = () => typed && onReject(typed)
  useKeys(Object.fromEntries(kind.reasons.map((reason, index) => [String(index + 1), () => pick(reason)])), {
    inDialog: true,
  })
  return (
    <Modal open title={`不通过《${title}》`} footer={null} onCancel={onClose} width={520}>
      <Flex vertical gap={8} className={styles.reasons}>
        {kind.reasons.map((reason, index) => (
          <Button key={reason} onClick={() => pick(reason)}>
            <kbd>{index + 1}</kbd>
            {reason}
          </Button>
        ))}
      </Flex>
      <Form layout="vertical" onFinish={submit}>
        <Form.Item
          label="其他原因或补充"
          htmlFor="reject-text"
          extra={kind.key === 'comment' ? '只有管理人员能看到。' : '作者会看到，修改后可以重新提交。'}
        >
          <Input.TextArea
            id="reject-text"
            value={text}
            maxLength={kind.maxReasonLength - 40}
            autoSize={{ minRows: 2, maxRows: 6 }}
            onChange={(event) => setText(event.target.value)}
            onPressEnter={(event) => (event.ctrlKey || event.metaKey) && submit()}
          />
        </Form.Item>
        <Flex justify="end" gap={8}>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" danger htmlType="submit" disabled={!typed}>
            不通过
          </Button>
        </Flex>
      </Form>
    </Modal>
  )
}
