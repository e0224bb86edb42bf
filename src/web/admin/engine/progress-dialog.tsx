import { Button, Modal, Progress, Typography } from 'antd'
import type { ReactNode } from 'react'

interface ProgressDialogProps {
  title: string
  done: number
  total: number
  /** Undefined once it is over. */
  onStop?: () => void
  onClose?: () => void
  children?: ReactNode
}

/** Long work, with a way to stop it. */
export function ProgressDialog({ title, done, total, onStop, onClose, children }: ProgressDialogProps) {
  const button = onStop ? (
    <Button onClick={onStop}>停止</Button>
  ) : (
    <Button type="primary" onClick={onClose}>
      关闭
    </Button>
  )
  return (
    <Modal
      open
      title={title}
      closable={false}
      keyboard={!onStop}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={button}
    >
      <Progress
        percent={total > 0 ? Math.floor((done / total) * 100) : 0}
        status={onStop ? 'active' : undefined}
        aria-label={title}
      />
      <output aria-live="polite">
        {children ?? (
          <Typography.Text type="secondary">
            {done.toLocaleString('zh-CN')} / {total.toLocaleString('zh-CN')}
          </Typography.Text>
        )}
      </output>
    </Modal>
  )
}
