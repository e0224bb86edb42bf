import { App, Button, Flex, Tag, Typography } from 'antd'
import type { Ref } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { InboxEntry as Entry, InboxReport } from '#shared/contract/reports.ts'
import { DocumentStatus, documentStatusLabels, publicStatuses } from '#shared/document-status.ts'
import { ReportOutcome, type ReportReason, reportReasonLabels } from '#shared/enums.ts'
import { UserLink } from '#web/admin/cells.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import type { Handling } from '#web/admin/reports/handle-dialog.tsx'
import { ReportItem } from '#web/admin/reports/report-item.tsx'
import styles from '#web/admin/reports/reports.module.css'
import { outcomeActions, useOutcomes } from '#web/admin/reports/use-outcomes.ts'
import { api } from '#web/lib/api.ts'

interface EntryProps {
  entry: Entry
  keys: { tabIndex: number; onFocus: () => void; ref: Ref<HTMLElement> }
  onHandle: (handling: Handling) => void
  onChanged: () => void
}

/** A reported document with all that was said about it. */
export function InboxEntry({ entry, keys, onHandle, onChanged }: EntryProps) {
  const { document, report, report_count } = entry
  const title = document?.title || entry.title || `文档 ${entry.id}`
  return (
    <article aria-label={title} className={styles.entry} {...keys}>
      <Flex gap={12} align="flex-start">
        {document?.cover && !document.is_deleted && (
          <img src={document.cover} alt="" width={54} height={76} loading="lazy" className={styles.cover} />
        )}
        <div className={styles.head}>
          <h2 className={styles.title}>
            {document && !document.is_deleted ? (
              <a href={`/document/${document.uuid}`} target="_blank" rel="noreferrer">
                {title}
              </a>
            ) : (
              title
            )}
          </h2>
          <Flex wrap gap="4px 12px" align="center">
            <DocumentState document={document} />
            {document && (
              <>
                <Typography.Text type="secondary">上传者</Typography.Text>
                <UserLink id={document.user_id} name={document.username} />
              </>
            )}
          </Flex>
          <Flex wrap gap={4} className={styles.reasonTags}>
            {countReasons(entry).map(([reason, count]) => (
              <Tag key={reason} variant="filled">
                {reportReasonLabels[reason]}
                {count > 1 && ` × ${count}`}
              </Tag>
            ))}
          </Flex>
        </div>
      </Flex>
      <ul className={styles.reports}>
        {report.map((row, index) => (
          <ReportItem key={row.id} report={row} hasResult={!hasSameResult(row, report[index + 1])} />
        ))}
      </ul>
      {report_count > report.length && (
        <Typography.Text type="secondary">
          共 {report_count} 个举报，这里显示 {report.length} 个。
        </Typography.Text>
      )}
      <EntryActions entry={entry} title={title} onHandle={onHandle} onChanged={onChanged} />
    </article>
  )
}

function DocumentState({ document }: Pick<Entry, 'document'>) {
  if (!document) return <Tag variant="filled">已彻底删除</Tag>
  if (document.is_deleted) return <Tag variant="filled">在回收站里</Tag>
  const isPublic = publicStatuses.includes(document.status)
  const color = isPublic ? 'green' : document.status === DocumentStatus.Disabled ? 'red' : 'gold'
  return (
    <Tag variant="filled" color={color}>
      {isPublic ? '公开' : documentStatusLabels[document.status]}
    </Tag>
  )
}

function EntryActions({ entry, title, onHandle, onChanged }: Omit<EntryProps, 'keys'> & { title: string }) {
  const { canCall } = usePermissions()
  const { modal } = App.useApp()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const outcomes = useOutcomes()(entry)
  const ids = entry.report.map(({ id }) => id)
  const attempt = async (label: string, work: () => Promise<unknown>) => {
    try {
      await work()
      showSuccess(`${label}成功`)
      onChanged()
    } catch (error) {
      showError(label, error)
    }
  }
  const reopen = () => void run(() => attempt('改回待处理', () => api(contract.reports.reopen, { id: ids })))
  const confirmDeletion = () =>
    modal.confirm({
      title: `删除“${title}”的举报记录？`,
      content: '举报、联系方式和证明文件一起删除，不能恢复。文档不变。',
      okText: '删除记录',
      okButtonProps: { danger: true },
      onOk: () => attempt('删除记录', () => api(contract.reports.delete, { id: ids })),
    })
  const isHandled = entry.open_count === 0
  return (
    <Flex wrap gap={8} className={styles.actions}>
      {outcomes.map((outcome) => (
        <Button
          key={outcome}
          danger={outcome === ReportOutcome.DocumentDeleted}
          onClick={() => onHandle({ entry, outcome })}
        >
          {outcomeActions[outcome]}
        </Button>
      ))}
      {isHandled && canCall(contract.reports.reopen) && (
        <Button loading={busy} onClick={reopen}>
          改回待处理
        </Button>
      )}
      {isHandled && canCall(contract.reports.delete) && (
        <Button danger onClick={confirmDeletion}>
          删除记录
        </Button>
      )}
    </Flex>
  )
}

/** Reports that were handled together show the result once, below the last of them. */
function hasSameResult(report: InboxReport, next: InboxReport | undefined): boolean {
  const keys = ['status', 'outcome', 'answer', 'remark', 'handled_by', 'updated_at'] as const
  return next !== undefined && keys.every((key) => report[key] === next[key])
}

/** The reasons of the reports, the most frequent first. */
function countReasons({ report }: Entry): [ReportReason, number][] {
  const counts = [...Map.groupBy(report, ({ reason }) => reason)].map(([reason, rows]): [ReportReason, number] => [
    reason,
    rows.length,
  ])
  return counts.toSorted(([, a], [, b]) => b - a)
}
