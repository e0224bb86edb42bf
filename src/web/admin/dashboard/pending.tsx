import { CheckCircleOutlined } from '@ant-design/icons'
import { Flex } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import { convertingStatuses, DocumentStatus } from '#shared/document-status.ts'
import type { CallInput, Endpoint, Reply } from '#shared/endpoint.ts'
import { MailStatus, ReviewStatus } from '#shared/enums.ts'
import { toSearchParams } from '#shared/wire.ts'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

type Pending = Reply<typeof contract.stats.pending>

interface PendingItem {
  key: keyof Pending
  label: string
  page: string
  query: string
  /** A failure, rather than work for a reviewer. */
  isFailure?: boolean
}

const documentPage = '/admin/document/list'

/** Each leads to the list of just these. */
const pendingItems: readonly PendingItem[] = [
  {
    key: 'document_review',
    label: '待审核文档',
    page: documentPage,
    query: toQuery(contract.documents.list, { status: [DocumentStatus.InReview] }),
  },
  {
    key: 'article_review',
    label: '待审核文章',
    page: '/admin/article/list',
    query: toQuery(contract.articles.list, { status: [ReviewStatus.Pending] }),
  },
  {
    key: 'comment_review',
    label: '待审核评论',
    page: '/admin/comment',
    query: toQuery(contract.comments.list, { status: [ReviewStatus.Pending] }),
  },
  {
    key: 'report',
    label: '未处理举报',
    page: '/admin/report',
    query: toQuery(contract.reports.list, { status: [false] }),
  },
  {
    key: 'failed_conversion',
    label: '转换失败文档',
    page: documentPage,
    query: toQuery(contract.documents.list, { status: [DocumentStatus.Failed] }),
    isFailure: true,
  },
  {
    key: 'failed_mail',
    label: '发送失败邮件',
    page: '/admin/user/mail',
    query: toQuery(contract.mails.list, { status: [MailStatus.Failed] }),
    isFailure: true,
  },
]

/** What waits for an administrator; the conversion queue is shown below, although it needs no action. */
export function PendingCard() {
  const query = useQuery('pending', () => api(contract.stats.pending))
  return (
    <DashboardCard title="等待处理" query={query} rows={2}>
      {(pending) => (
        <>
          {pendingItems.every(({ key }) => pending[key] === 0) && (
            <Flex align="center" gap={8} className={styles.allDone}>
              <CheckCircleOutlined />
              一切都处理好了
            </Flex>
          )}
          <ul className={styles.pendingItems}>
            {pendingItems.map((item) => (
              <li key={item.key}>
                <PendingItemLink item={item} count={pending[item.key]} />
              </li>
            ))}
          </ul>
          {pending.conversion_queue > 0 && <ConversionQueue count={pending.conversion_queue} />}
        </>
      )}
    </DashboardCard>
  )
}

function PendingItemLink({ item, count }: { item: PendingItem; count: number }) {
  const { canOpen } = usePermissions()
  const { label, page, query, isFailure } = item
  const openStyle = isFailure ? styles.pendingItemFailed : styles.pendingItemOpen
  const className = count === 0 ? styles.pendingItem : openStyle
  const content = (
    <>
      <span className={styles.number}>{count.toLocaleString()}</span>
      <span>{label}</span>
    </>
  )
  if (!canOpen(page)) return <span className={className}>{content}</span>
  return (
    <Link to={`${page}?${query}`} className={className}>
      {content}
    </Link>
  )
}

const convertingQuery = toQuery(contract.documents.list, { status: [...convertingStatuses] })

function ConversionQueue({ count }: { count: number }) {
  const { canOpen } = usePermissions()
  const text = `${count.toLocaleString()} 份文档正在转换或等待转换`
  return (
    <p className={styles.note}>
      {canOpen(documentPage) ? <Link to={`${documentPage}?${convertingQuery}`}>{text}</Link> : text}
    </p>
  )
}

/** The query of an admin list is that of its list call. */
function toQuery<E extends Endpoint>(_list: E, params: CallInput<E>): string {
  return toSearchParams(params).toString()
}
