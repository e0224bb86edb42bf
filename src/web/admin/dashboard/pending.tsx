import { CheckCircleOutlined } from '@ant-design/icons'
import { Alert, Flex } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import { convertingStatuses, DocumentStatus } from '#shared/document-status.ts'
import type { CallInput, Endpoint, Reply } from '#shared/endpoint.ts'
import { MailStatus, ReplacementStatus, ReviewStatus } from '#shared/enums.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import { toSearchParams } from '#shared/wire.ts'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { usePolling } from '#web/admin/dashboard/use-polling.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { failedDocumentStatuses } from '#web/admin/resources/spider/words.ts'
import { api } from '#web/lib/api.ts'

type Pending = Reply<typeof contract.stats.pending>

interface PendingItem {
  key: keyof Pending
  /** Who may do something about it. */
  permission: PermissionPath
  label: string
  /** The tab of the review desk, for what is reviewed there. */
  kind?: 'document' | 'article' | 'comment'
  page: string
  query: string
  /** A failure, rather than work for a reviewer. */
  isFailure?: boolean
}

const documentPage = '/admin/document/list'
const reviewPage = '/admin/review'
const orderPage = '/admin/order'

/** Each leads to the review desk, or to the list of just these. */
const pendingItems: readonly PendingItem[] = [
  {
    key: 'document_review',
    permission: 'DocumentAPI/CheckDocument',
    kind: 'document',
    label: '待审核文档',
    page: documentPage,
    query: toQuery(contract.documents.list, { status: [DocumentStatus.InReview] }),
  },
  {
    key: 'replacement_review',
    permission: 'DocumentAPI/CheckDocument',
    label: '待审核的新文件',
    page: '/admin/document/replacement',
    query: toQuery(contract.replacements.list, { status: [ReplacementStatus.InReview] }),
  },
  {
    key: 'article_review',
    permission: 'ArticleAPI/CheckArticles',
    kind: 'article',
    label: '待审核文章',
    page: '/admin/article/list',
    query: toQuery(contract.articles.list, { status: [ReviewStatus.Pending] }),
  },
  {
    key: 'comment_review',
    permission: 'CommentAPI/CheckComment',
    kind: 'comment',
    label: '待审核评论',
    page: '/admin/comment',
    query: toQuery(contract.comments.list, { status: [ReviewStatus.Pending] }),
  },
  {
    key: 'report',
    permission: 'ReportAPI/UpdateReport',
    label: '未处理举报',
    page: '/admin/report',
    query: toQuery(contract.reports.list, { status: [false] }),
  },
  {
    key: 'claimed_order',
    permission: 'OrderAPI/UpdateOrder',
    label: '待确认付款',
    page: orderPage,
    query: toQuery(contract.orders.list, { is_claimed: true }),
  },
  {
    key: 'surplus_order',
    permission: 'OrderAPI/UpdateOrder',
    label: '多收款订单',
    page: orderPage,
    query: toQuery(contract.orders.list, { has_surplus: true }),
    isFailure: true,
  },
  {
    key: 'bill_difference',
    permission: 'OrderAPI/UpdateOrder',
    label: '对账差异',
    page: '/admin/order/difference',
    query: toQuery(contract.orders.differences, { is_handled: false }),
    isFailure: true,
  },
  {
    key: 'failed_conversion',
    permission: 'DocumentAPI/SetDocumentReconvert',
    label: '转换失败文档',
    page: documentPage,
    query: toQuery(contract.documents.list, { status: [DocumentStatus.Failed], is_unpreviewable: [false] }),
    isFailure: true,
  },
  {
    key: 'failed_crawl',
    permission: 'SpiderDocumentAPI/UpdateSpiderDocument',
    label: '采集失败文档',
    page: '/admin/spider/document',
    query: toQuery(contract.spiderDocuments.list, { status: [...failedDocumentStatuses] }),
    isFailure: true,
  },
  {
    key: 'failed_mail',
    permission: 'MailAPI/RetryMail',
    label: '发送失败邮件',
    page: '/admin/user/mail',
    query: toQuery(contract.mails.list, { status: [MailStatus.Failed] }),
    isFailure: true,
  },
]

const intervalMs = 20_000

/** The waiting work that the viewer may do, and whether anything works in the background at all. */
export function PendingCard() {
  const { has } = usePermissions()
  const query = usePolling(() => api(contract.stats.pending), { intervalMs, retryMs: intervalMs })
  const items = pendingItems.filter(({ permission }) => has(permission))
  return (
    <>
      {query.data?.worker_count === 0 && <NoWorker />}
      {items.length > 0 && (
        <DashboardCard title="等待处理" query={query} rows={2}>
          {(pending) => (
            <>
              {items.every(({ key }) => pending[key] === 0) && (
                <Flex align="center" gap={8} className={styles.allDone}>
                  <CheckCircleOutlined />
                  一切都处理好了
                </Flex>
              )}
              <ul className={styles.pendingItems}>
                {items.map((item) => (
                  <li key={item.key}>
                    <PendingItemLink item={item} count={pending[item.key]} />
                  </li>
                ))}
              </ul>
              {pending.conversion_queue > 0 && <ConversionQueue count={pending.conversion_queue} />}
            </>
          )}
        </DashboardCard>
      )}
    </>
  )
}

function NoWorker() {
  return (
    <Alert
      type="error"
      showIcon
      title="没有工作进程在运行"
      description="已有一分钟没有收到工作进程的消息：文档转换、邮件和搜索更新都停着，恢复后会自动继续。请管理员到服务器上检查服务是否在运行。"
    />
  )
}

function PendingItemLink({ item, count }: { item: PendingItem; count: number }) {
  const { canOpen } = usePermissions()
  const { label, page, query, kind, isFailure } = item
  const openStyle = isFailure ? styles.pendingItemFailed : styles.pendingItemOpen
  const className = count === 0 ? styles.pendingItem : openStyle
  const content = (
    <>
      <span className={styles.number}>{count.toLocaleString()}</span>
      <span>{label}</span>
    </>
  )
  const [target, search] = kind ? [reviewPage, `kind=${kind}`] : [page, query]
  if (!canOpen(target)) return <span className={className}>{content}</span>
  return (
    <Link to={`${target}?${search}`} className={className}>
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
