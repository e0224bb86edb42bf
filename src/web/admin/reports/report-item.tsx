import { FileImageOutlined, FilePdfOutlined } from '@ant-design/icons'
import { Button, Flex, Modal, Tag, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { InboxReport } from '#shared/contract/reports.ts'
import { ReportOutcome, reportOutcomeLabels, reportReasonLabels } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import { Timestamp, UserLink } from '#web/admin/cells.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import styles from '#web/admin/reports/reports.module.css'
import { api } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'

/** One member's complaint, and what became of it. */
export function ReportItem({ report, hasResult }: { report: InboxReport; hasResult: boolean }) {
  const { reason, user_id, username, created_at, content, contact, proof, status, outcome } = report
  return (
    <li>
      <Flex wrap gap="4px 10px" align="center">
        <strong>{reportReasonLabels[reason]}</strong>
        <UserLink id={user_id} name={username} />
        <Typography.Text type="secondary">
          <Timestamp at={created_at} />
        </Typography.Text>
        {status && (
          <Tag variant="filled" color={outcome === ReportOutcome.Dismissed ? undefined : 'green'}>
            {reportOutcomeLabels[outcome]}
          </Tag>
        )}
      </Flex>
      {content && <p className={styles.words}>{content}</p>}
      {contact && (
        <p className={styles.words}>
          <Typography.Text type="secondary">联系方式：</Typography.Text>
          {contact}
        </p>
      )}
      {proof.length > 0 && (
        <Flex wrap gap={8}>
          {proof.map((file) => (
            <ProofButton key={file.id} file={file} />
          ))}
        </Flex>
      )}
      {status && hasResult && <Result report={report} />}
    </li>
  )
}

function Result({ report: { answer, remark, handled_by, updated_at } }: { report: InboxReport }) {
  return (
    <div className={styles.result}>
      {answer && <p className={styles.words}>答复：{answer}</p>}
      {remark && <p className={styles.words}>备注：{remark}</p>}
      <Typography.Text type="secondary">
        {handled_by && `${handled_by} 处理于 `}
        <Timestamp at={updated_at} />
      </Typography.Text>
    </div>
  )
}

/** A picture opens here; a PDF is saved. */
function ProofButton({ file: { id, name, ext, size } }: { file: InboxReport['proof'][number] }) {
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const [pictureUrl, setPictureUrl] = useState('')
  const isPicture = ext !== '.pdf'
  const open = () =>
    run(async () => {
      try {
        const file = await api(contract.reports.proof, { id })
        if (isPicture && file.body instanceof Blob) setPictureUrl(URL.createObjectURL(file.body))
        else saveFile(file)
      } catch (error) {
        showError('打开证明文件', error)
      }
    })
  const close = () => {
    URL.revokeObjectURL(pictureUrl)
    setPictureUrl('')
  }
  return (
    <>
      <Button
        size="small"
        icon={isPicture ? <FileImageOutlined /> : <FilePdfOutlined />}
        loading={busy}
        className={styles.proof}
        onClick={() => void open()}
      >
        <span className={styles.proofName}>{name}</span> {formatSize(size)}
      </Button>
      {pictureUrl && (
        <Modal open title={name} footer={null} width="min(960px, calc(100vw - 32px))" onCancel={close}>
          <img src={pictureUrl} alt={name} className={styles.picture} />
        </Modal>
      )}
    </>
  )
}
