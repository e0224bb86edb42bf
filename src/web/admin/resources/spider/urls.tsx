import { Alert, Modal } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { SpiderUrl } from '#shared/contract/spider.ts'
import type { CallInput, Reply } from '#shared/endpoint.ts'
import { nextUrlStatus, SpiderUrlStatus, spiderUrlStatusLabels } from '#shared/spider.ts'
import { call, panel } from '#web/admin/actions.ts'
import { dash, ExternalLink, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, timeColumn } from '#web/admin/columns.tsx'
import { dateRange, select, textarea } from '#web/admin/fields.tsx'
import { type CreatedProps, resource, type SummaryProps } from '#web/admin/resource.ts'
import { Blocked } from '#web/admin/resources/spider/blocked.tsx'
import { UrlLogDrawer } from '#web/admin/resources/spider/log-drawer.tsx'
import { sourceFilter } from '#web/admin/resources/spider/source-select.tsx'
import styles from '#web/admin/resources/spider/spider.module.css'
import { StatusCell } from '#web/admin/resources/spider/status-cell.tsx'
import { StatusCounts } from '#web/admin/resources/spider/status-counts.tsx'
import { describeChanged, failureText, urlStatusColors } from '#web/admin/resources/spider/words.ts'

const { list, create, retry, delete: remove, log } = contract.spiderUrls

type UrlReply = Reply<typeof list>

export const spiderUrls = resource({
  title: '采集链接',
  api: { list, create, delete: remove },
  summary: Counts,
  isChanging: ({ count, block }) => block === '' && count.pending + count.crawling > 0,
  emptyText: '还没有采集链接：运行采集源会找到它们，也可以用“新增采集链接”粘贴一批网址',
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('url', '网址', (row: SpiderUrl) => <Address row={row} />, { width: 240, text: ({ url }) => url }),
    customColumn('status', '状态', (row: SpiderUrl) => <Status row={row} />, {
      width: 176,
      text: ({ status }: SpiderUrl) => spiderUrlStatusLabels[status],
    }),
    customColumn('source_name', '采集源', ({ source_name }: SpiderUrl) => source_name || '手工添加', { width: 150 }),
    numberColumn('depth', { label: '层数', width: 64, sort: true }),
    timeColumn('fetched_at', { label: '采集时间', unset: '还没有', sort: true }),
    customColumn('reason', '原因', ({ reason }: SpiderUrl) => failureText(reason) || dash, {
      width: 240,
      text: ({ reason }: SpiderUrl) => failureText(reason),
      hiddenByDefault: true,
    }),
    numberColumn('tries', { label: '尝试', width: 64, hiddenByDefault: true }),
    timeColumn('created_at', { label: '发现时间', sort: true, hiddenByDefault: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', spiderUrlStatusLabels),
    sourceFilter('source_id'),
    dateRange('created_at', '发现时间'),
  ],
  form: {
    create: [
      textarea('url', '网址', {
        rows: 8,
        placeholder: 'https://example.com/docs/\nhttps://example.com/report.pdf',
        help: '一行一个，可以粘贴一批。网页里的文档会被找出来，文件会直接成为采集文档。请只采集您有权使用的内容：来源网站的条款和版权由您负责遵守。',
      }),
    ],
  },
  created: Created,
  actions: [
    panel(log, '日志', UrlLogDrawer),
    call(retry, '重新采集', {
      bulk: true,
      confirm: '按对方的要求排队，重新读取这些网址。',
      successMessage: describeChanged,
      disabledReason: ({ status }: SpiderUrl) =>
        nextUrlStatus(status, 'again') === undefined ? `当前状态：${spiderUrlStatusLabels[status]}` : undefined,
    }),
  ],
  deleteWarning: '只删除链接和它的日志，已经找到的采集文档保留；采集源再次运行时可能重新发现它。',
  rowName: ({ url }) => url,
})

function Counts({ reply }: SummaryProps<UrlReply>) {
  const { count } = reply
  const counts = {
    [SpiderUrlStatus.Pending]: count.pending,
    [SpiderUrlStatus.Crawling]: count.crawling,
    [SpiderUrlStatus.Done]: count.done,
    [SpiderUrlStatus.Failed]: count.failed,
  }
  return (
    <>
      <Blocked reply={reply} />
      <StatusCounts labels={spiderUrlStatusLabels} counts={counts} />
    </>
  )
}

function Address({ row: { url, title } }: { row: SpiderUrl }) {
  return title ? <TwoLines primary={title} secondary={<ExternalLink href={url} />} /> : <ExternalLink href={url} />
}

function Status({ row }: { row: SpiderUrl }) {
  return <StatusCell label={spiderUrlStatusLabels[row.status]} color={urlStatusColors[row.status]} row={row} />
}

/** What became of the pasted addresses. */
function Created({ reply, onClose }: CreatedProps<CallInput<typeof create>, Reply<typeof create>>) {
  const { created, known, wrong, wrong_count } = reply
  return (
    <Modal
      open
      title="新增采集链接"
      okText="知道了"
      onOk={onClose}
      onCancel={onClose}
      cancelButtonProps={{ hidden: true }}
    >
      <output className={styles.outcome}>
        新增 {created.toLocaleString('zh-CN')} 个{known > 0 && `，已有 ${known.toLocaleString('zh-CN')} 个，不再重复`}
        {wrong_count > 0 && `，无效 ${wrong_count.toLocaleString('zh-CN')} 个`}。
      </output>
      {wrong_count > 0 && (
        <Alert
          type="warning"
          showIcon
          title="这些不是可以采集的网址，请改正后再添加"
          description={
            <>
              <ul className={styles.wrong}>
                {wrong.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              {wrong.length < wrong_count && `只列出前 ${wrong.length} 个`}
            </>
          }
        />
      )}
    </Modal>
  )
}
