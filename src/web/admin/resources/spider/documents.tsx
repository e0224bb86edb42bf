import { contract } from '#shared/contract/contract.ts'
import type { SpiderDocument } from '#shared/contract/spider.ts'
import type { Reply } from '#shared/endpoint.ts'
import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import {
  nextSpiderDocumentStatus,
  type SpiderDocumentEvent,
  SpiderDocumentStatus,
  spiderDocumentStatusLabels,
} from '#shared/spider.ts'
import { call, panel } from '#web/admin/actions.ts'
import cells from '#web/admin/cells.module.css'
import { ExternalLink, dash, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, tagColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { categoryPath, dateRange, language, number, select, text, textarea } from '#web/admin/fields.tsx'
import { resource, type SummaryProps } from '#web/admin/resource.ts'
import { Blocked } from '#web/admin/resources/spider/blocked.tsx'
import { CategoryNames } from '#web/admin/resources/spider/category-names.tsx'
import { DocumentLogDrawer } from '#web/admin/resources/spider/log-drawer.tsx'
import { sourceFilter } from '#web/admin/resources/spider/source-select.tsx'
import styles from '#web/admin/resources/spider/spider.module.css'
import { StatusCell } from '#web/admin/resources/spider/status-cell.tsx'
import { StatusCounts } from '#web/admin/resources/spider/status-counts.tsx'
import {
  describeChanged,
  documentStatusColors,
  failedDocumentStatuses,
  failureText,
  movingDocumentStatuses,
} from '#web/admin/resources/spider/words.ts'

const api = contract.spiderDocuments
const { Document, Article } = ContentType

type DocumentReply = Reply<typeof api.list>

export const spiderDocuments = resource({
  title: '采集文档',
  api: { list: api.list, update: api.update, delete: api.delete },
  summary: Counts,
  isChanging: ({ count, block }) => block === '' && movingDocumentStatuses.some((status) => (count[status] ?? 0) > 0),
  emptyText: '还没有采集文档：运行采集源，或在“采集链接”里添加网址，找到的文档会列在这里',
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('title', '文档', (row: SpiderDocument) => <Title row={row} />, { width: 220 }),
    customColumn('status', '状态', (row: SpiderDocument) => <Status row={row} />, {
      width: 176,
      text: ({ status }: SpiderDocument) => spiderDocumentStatusLabels[status],
    }),
    customColumn(
      'category_id',
      '分类',
      ({ target, category_id }: SpiderDocument) => <CategoryNames type={target} path={category_id} />,
      { width: 120 },
    ),
    numberColumn('price', { label: '价格', width: 68 }),
    customColumn('size', '大小', ({ size }: SpiderDocument) => <Size bytes={size} />, {
      width: 84,
      sort: true,
      text: ({ size }: SpiderDocument) => (size > 0 ? formatSize(size) : ''),
    }),
    customColumn('url', '来源', (row: SpiderDocument) => <Origin row={row} />, { width: 200, text: ({ url }) => url }),
    timeColumn('created_at', { label: '发现时间', sort: true }),
    customColumn('reason', '原因', ({ reason }: SpiderDocument) => failureText(reason) || dash, {
      width: 240,
      text: ({ reason }: SpiderDocument) => failureText(reason),
      hiddenByDefault: true,
    }),
    tagColumn('target', contentTypeLabels, { label: '类型', width: 72, hiddenByDefault: true }),
    userColumn('username', 'user_id', { label: '上传者', hiddenByDefault: true }),
    customColumn(
      'found_at',
      '所在网页',
      ({ found_at }: SpiderDocument) => (found_at ? <ExternalLink href={found_at} /> : dash),
      {
        width: 200,
        text: ({ found_at }: SpiderDocument) => found_at,
        hiddenByDefault: true,
      },
    ),
    timeColumn('dated_at', { label: '网页上的日期', hiddenByDefault: true }),
    timeColumn('downloaded_at', { label: '下载时间', hiddenByDefault: true }),
    timeColumn('published_at', { label: '发布时间', hiddenByDefault: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', spiderDocumentStatusLabels),
    select('target', '类型', contentTypeLabels),
    sourceFilter('source_id'),
    dateRange('created_at', '发现时间'),
  ],
  form: {
    update: [
      text('title', '标题'),
      categoryPath('category_id', '分类', Document, { isShown: ({ target }) => target === Document }),
      categoryPath('category_id', '分类', Article, { isShown: ({ target }) => target === Article }),
      language('language', '语言', { half: true, isShown: ({ target }) => target === Document }),
      number('price', '价格', { min: 0, half: true, isShown: ({ target }) => target === Document }),
      text('keywords', '关键字', { help: '多个关键字用逗号分隔' }),
      textarea('description', '简介'),
    ],
  },
  isEditable: (row) => whyNotEditable(row) === undefined,
  actions: [
    call(api.publish, '发布', {
      bulk: true,
      confirm: '成为网站上的文档或文章，按采集源的设置直接发布或提交审核。',
      successMessage: describeChanged,
      disabledReason: unlessPossible('queuePublish'),
    }),
    call(api.download, '下载', {
      bulk: true,
      confirm: '按对方网站的要求排队下载文件。',
      successMessage: describeChanged,
      disabledReason: unlessPossible('queueDownload'),
    }),
    call(api.retry, '重试', {
      bulk: true,
      confirm: '从失败的那一步重新开始。',
      successMessage: describeChanged,
      disabledReason: ({ status }: SpiderDocument) =>
        failedDocumentStatuses.includes(status) ? undefined : '没有失败',
    }),
    panel(api.log, '日志', DocumentLogDrawer),
    call(api.setCategory, '设置分类', {
      bulk: true,
      fields: [categoryPath('category_id', '分类', Document)],
      successMessage: describeChanged,
      disabledReason: whyNotEditableAs(Document),
    }),
    call(api.setCategory, '设置文章分类', {
      bulk: true,
      fields: [categoryPath('category_id', '分类', Article)],
      successMessage: describeChanged,
      disabledReason: whyNotEditableAs(Article),
    }),
    call(api.setPrice, '设置价格', {
      bulk: true,
      fields: [number('price', '价格', { min: 0 })],
      successMessage: describeChanged,
      disabledReason: whyNotEditableAs(Document),
    }),
  ],
  deleteWarning: '删除采集记录和还没有发布的文件；已经发布的文档和文章保留。采集源再次运行时可能重新发现它们。',
  rowName: ({ title, name, url }) => title || name || url,
})

/** An action on documents whose status allows the event. */
function unlessPossible(event: SpiderDocumentEvent) {
  return ({ status }: SpiderDocument) =>
    nextSpiderDocumentStatus(status, event) === undefined
      ? `当前状态：${spiderDocumentStatusLabels[status]}`
      : undefined
}

function whyNotEditable({ status }: Pick<SpiderDocument, 'status'>): string | undefined {
  if (status === SpiderDocumentStatus.Publishing) return '正在发布，发布之后请到文档或文章管理里修改'
  return status === SpiderDocumentStatus.Published ? '已经发布，请到文档或文章管理里修改' : undefined
}

function whyNotEditableAs(type: ContentType) {
  return (row: SpiderDocument) => (row.target === type ? whyNotEditable(row) : `只用于${contentTypeLabels[type]}`)
}

function Counts({ reply }: SummaryProps<DocumentReply>) {
  return (
    <>
      <Blocked reply={reply} />
      <StatusCounts labels={spiderDocumentStatusLabels} counts={reply.count} />
    </>
  )
}

function Title({ row: { title, name, url, href, target } }: { row: SpiderDocument }) {
  const text = title || name || url
  const primary = href ? (
    <a href={href} target="_blank" rel="noreferrer">
      {text}
    </a>
  ) : (
    text
  )
  return <TwoLines primary={primary} secondary={target === Article ? '文章' : name} />
}

function Status({ row }: { row: SpiderDocument }) {
  const { status } = row
  return <StatusCell label={spiderDocumentStatusLabels[status]} color={documentStatusColors[status]} row={row} />
}

function Size({ bytes }: { bytes: number }) {
  return bytes > 0 ? <span className={cells.numeric}>{formatSize(bytes)}</span> : dash
}

function Origin({ row: { source_name, url } }: { row: SpiderDocument }) {
  return (
    <TwoLines
      primary={source_name || '手工添加'}
      secondary={
        <a href={url} target="_blank" rel="noreferrer" title={url} className={styles.oneLine}>
          {url.replace(/^https?:\/\//, '')}
        </a>
      }
    />
  )
}
