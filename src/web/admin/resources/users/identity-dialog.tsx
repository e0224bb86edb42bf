import { Alert, Button, Descriptions, Modal, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { User } from '#shared/contract/user.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

/** Masked until staff ask for it: opening the dialog by mistake is no look. */
export function IdentityDialog({ row, onClose }: PanelProps<User>) {
  const [shown, setShown] = useState<Reply<typeof contract.privacy.identity>>()
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const reveal = () =>
    run(async () => {
      try {
        setShown(await api(contract.privacy.identity, { id: row.id }))
      } catch (error) {
        showError('查看', error)
      }
    })
  const { realname, identity } = shown ?? row
  return (
    <Modal
      open
      title={`实名资料：${row.username}`}
      width="max(30vw, 360px)"
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          {!shown && (
            <Button type="primary" loading={busy} onClick={() => void reveal()}>
              显示完整内容
            </Button>
          )}
        </>
      }
    >
      <Alert type="info" showIcon title="每次查看都会写入操作日志，请只在核实身份时使用。" />
      <Descriptions
        column={1}
        style={{ marginTop: 16 }}
        items={[
          { key: 'realname', label: '真实姓名', children: realname || '没有填写' },
          {
            key: 'identity',
            label: '身份证号',
            children: identity ? <Typography.Text code>{identity}</Typography.Text> : '没有填写',
          },
        ]}
      />
    </Modal>
  )
}
