import { Button, Checkbox, Flex, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { Punishment, punishmentLabels } from '#shared/enums.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { api } from '#web/lib/api.ts'
import { useKeys } from '#web/admin/review/keys.ts'
import type { ReviewKind } from '#web/admin/review/review-kinds.tsx'
import styles from '#web/admin/review/review.module.css'

interface RejectDialogProps {
  kind: ReviewKind
  title: string
  /** Whom a punishment is for; 0 if the account is gone. */
  authorId: number
  onReject: (reason: string, punishment?: PunishmentChoice) => void
  onClose: () => void
}

export interface PunishmentChoice {
  types: Punishment[]
  /** 0 for ever. */
  days: number
}

const dayMs = 86_400_000
const offered = [Punishment.NoUpload, Punishment.NoArticle, Punishment.NoComment]
const periods = [
  { value: 7, label: '7 天' },
  { value: 30, label: '30 天' },
  { value: 365, label: '1 年' },
  { value: 0, label: '一直' },
]

export async function punishAuthor(id: number, reason: string, { types, days }: PunishmentChoice): Promise<void> {
  const end_time = days > 0 ? Date.now() + days * dayMs : null
  await api(contract.punishments.create, { user_id: [id], type: types, enable: true, reason, end_time })
}

/** A reason to pick, by its number or a click, to type, or both: what was typed is added to what is picked. */
export function RejectDialog({ kind, title, authorId, onReject, onClose }: RejectDialogProps) {
  const [text, setText] = useState('')
  const [types, setTypes] = useState<Punishment[]>([])
  const [days, setDays] = useState(30)
  const { canCall } = usePermissions()
  const canPunish = authorId > 0 && canCall(contract.punishments.create)
  const typed = text.trim()
  const send = (reason: string) => onReject(reason, types.length > 0 ? { types, days } : undefined)
  const pick = (reason: string) => send([reason, typed].filter(Boolean).join('：'))
  const submit = () => typed && send(typed)
  useKeys(Object.fromEntries(kind.reasons.map((reason, index) => [String(index + 1), () => pick(reason)])), {
    inDialog: true,
  })
  return (
    <Modal
      open
      title={`不通过${title.startsWith('《') ? '' : ' '}${title}`}
      footer={null}
      onCancel={onClose}
      width={520}
    >
      {canPunish && (
        <Flex vertical gap={8} className={styles.punishing}>
          <Checkbox.Group
            aria-label="同时处罚作者"
            value={types}
            options={offered.map((type) => ({ value: type, label: `同时${punishmentLabels[type]}` }))}
            onChange={setTypes}
          />
          {types.length > 0 && (
            <Flex gap={8} align="center">
              <Select aria-label="处罚多久" value={days} options={periods} onChange={setDays} />
              <span>原因和审核的一样；撤销审核不会取消处罚。</span>
            </Flex>
          )}
        </Flex>
      )}
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
          extra={kind.key === 'comment' ? '作者会在通知里看到。' : '作者会看到，修改后可以重新提交。'}
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
