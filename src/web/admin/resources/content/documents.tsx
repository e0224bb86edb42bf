import { Flex, Tag, Tooltip, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { downloadPath } from '#web/domain/paths.ts'
import type { Document } from '#shared/contract/documents.ts'
import { isUnpreviewable, unpreviewableLabel } from '#shared/conversion.ts'
import { kindFilters } from '#shared/document-kinds.ts'
import {
  type DocumentEvent,
  DocumentStatus,
  documentStatusLabels,
  wireStatusLabels,
  nextStatus,
  reviewableStatuses,
  whyUnrejectable,
} from '#shared/document-status.ts'
import { ContentType, RecommendAction, Visibility, visibilityLabels } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import { call } from '#web/admin/actions.ts'
import { dash, TwoLines } from '#web/admin/cells.tsx'
import cells from '#web/admin/cells.module.css'
import { customColumn, numberColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import {
  categoryPath,
  dateRange,
  language,
  number,
  select,
  text,
  textarea,
  toggle,
  url,
  user,
} from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { groupSelect } from '#web/admin/resources/users/group-select.tsx'
import styles from '#web/admin/resources/content/thumbnail.module.css'
import { Thumbnail } from '#web/admin/resources/content/thumbnail.tsx'

const api = contract.documents

const statusColors: Record<DocumentStatus, string | undefined> = {
  [DocumentStatus.Pending]: 'blue',
  [DocumentStatus.Converting]: 'processing',
  [DocumentStatus.Converted]: 'green',
  [DocumentStatus.Failed]: 'red',
  [DocumentStatus.Disabled]: undefined,
  [DocumentStatus.PendingReconversion]: 'blue',
  [DocumentStatus.InReview]: 'gold',
  [DocumentStatus.Rejected]: 'volcano',
  [DocumentStatus.FailedInReview]: 'red',
}

export const documentColumns = {
  id: { key: 'id', width: 72, sort: true } as const,
  title: customColumn('title', '文档', (row: Document) => <Title document={row} />, { width: 240 }),
  author: userColumn('username', 'user_id', { label: '上传者' }),
  category: customColumn('category', '分类', (row: Document) => categoryText(row) || dash, { text: categoryText }),
  status: customColumn('status', '状态', (row: Document) => <Status document={row} />, {
    width: 128,
    text: statusText,
  }),
}

export const documents = resource({
  title: '文档',
  api: { list: api.list, get: api.get, update: api.update, delete: api.delete },
  requires: {
    get: 'DocumentAPI/GetDocument',
    update: 'DocumentAPI/UpdateDocument',
    delete: 'DocumentAPI/DeleteDocument',
  },
  createPage: { page: '/upload', requires: 'DocumentAPI/UpdateDocument' },
  columns: [
    documentColumns.id,
    documentColumns.title,
    documentColumns.status,
    documentColumns.author,
    documentColumns.category,
    customColumn('visibility', '可见范围', (row: Document) => <Audience document={row} />, {
      width: 120,
      text: audienceText,
    }),
    timeColumn('created_at', { label: '上传时间', sort: true }),
    numberColumn('pages', { label: '页数', sort: true }),
    numberColumn('price', { label: '价格', sort: true }),
    customColumn('size', '大小', ({ size }: Document) => <span className={cells.numeric}>{formatSize(size)}</span>, {
      width: 92,
      sort: true,
      text: ({ size }: Document) => formatSize(size),
    }),
    numberColumn('view_count', { label: '浏览', sort: true }),
    numberColumn('download_count', { label: '下载', sort: true }),
    numberColumn('favorite_count', { label: '收藏', sort: true, hiddenByDefault: true }),
    customColumn(
      'score',
      '评分',
      ({ score, score_count }: Document) => (score_count > 0 ? (score / 100).toFixed(1) : dash),
      {
        hiddenByDefault: true,
        text: ({ score, score_count }: Document) => (score_count > 0 ? (score / 100).toFixed(1) : ''),
      },
    ),
    customColumn('language', '语言', (row: Document) => row.language || dash, { hiddenByDefault: true }),
    timeColumn('recommend_at', { label: '推荐时间', sort: true, hiddenByDefault: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', wireStatusLabels),
    select('visibility', '可见范围', visibilityLabels),
    categoryPath('category_id', '分类', ContentType.Document),
    select('ext', '类型', kindFilters),
    select('fee_type', '价格', { free: '免费', charge: '付费', vip: 'VIP 文档' }),
    language('language', '语言'),
    toggle('is_recommend', '已推荐'),
    toggle('is_unpreviewable', '不支持预览'),
    user('user_id', '上传者'),
    dateRange('created_at', '上传时间'),
  ],
  form: {
    update: [
      text('title', '标题'),
      categoryPath('category_id', '分类', ContentType.Document),
      language('language', '语言', { half: true }),
      number('price', '价格', { min: 0, half: true }),
      text('keywords', '关键字', { help: '多个关键字用逗号分隔' }),
      textarea('description', '简介'),
      text('source_name', '来源名称', { half: true, help: '显示在文档页面' }),
      url('source_url', '来源链接', { half: true }),
    ],
  },
  actions: [
    setStatus(DocumentStatus.Pending, '审核通过', { event: 'approve', confirm: '通过后所有人都能看到。' }),
    call(api.review, '审核不通过', {
      bulk: true,
      danger: true,
      input: { status: DocumentStatus.Rejected },
      fields: [textarea('reason', '原因', { required: true, help: '上传者会看到' })],
      rowsInput: filesOf,
      disabledReason: (row: Document) => whyUnrejectable(row) ?? unlessPossible('reject')(row),
    }),
    call(api.review, '禁用', {
      bulk: true,
      danger: true,
      input: { status: DocumentStatus.Disabled },
      rowsInput: filesOf,
      disabledReason: unlessPossible('disable'),
      fields: [
        textarea('reason', '原因', {
          required: true,
          help: '上传者会看到。禁用后只有上传者和管理人员能看到，不能下载',
        }),
      ],
    }),
    setStatus(DocumentStatus.Converted, '启用', { event: 'enable', confirm: '启用后所有人都能看到。' }),
    setStatus(DocumentStatus.InReview, '退回待审核', {
      event: 'review',
      confirm: '审核之前，只有上传者和管理人员能看到。',
    }),
    call(api.reconvert, '重新转换', {
      bulk: true,
      confirm: '用原文件重新生成页面，完成之前仍显示原来的页面。',
      disabledReason: unlessPossible('reconvert'),
    }),
    call(api.recommend, '推荐', {
      bulk: true,
      input: { type: RecommendAction.Renew },
      confirm: '推荐的文档排在首页最前。',
    }),
    call(api.recommend, '取消推荐', {
      bulk: true,
      input: { type: RecommendAction.Withdraw },
      disabledReason: ({ recommend_at }: Document) => (recommend_at ? undefined : '没有推荐'),
    }),
    call(api.setVip, '设为 VIP 文档', {
      bulk: true,
      input: { is_vip: true },
      confirm: 'VIP 会员在卡的数量之内免费下载。',
      disabledReason: ({ is_vip }: Document) => (is_vip ? '已经是 VIP 文档' : undefined),
    }),
    call(api.setVip, '取消 VIP 文档', {
      bulk: true,
      input: { is_vip: false },
      disabledReason: ({ is_vip }: Document) => (is_vip ? undefined : '不是 VIP 文档'),
    }),
    call(api.setCategory, '修改分类', {
      bulk: true,
      fields: [categoryPath('category_id', '分类', ContentType.Document)],
    }),
    call(api.setLanguage, '修改语言', { bulk: true, fields: [language('language', '语言')] }),
    call(api.setVisibility, '修改可见范围', {
      bulk: true,
      fields: [
        select('visibility', '可见范围', visibilityLabels),
        groupSelect('group_id', '用户组', { help: '只用于“指定用户组”' }),
      ],
    }),
    call(api.setOwner, '更换上传者', {
      bulk: true,
      confirm: '文档归新的上传者所有，双方的文档数随之改变；已经得到的奖励和收入不变。',
      fields: [user('user_id', '上传者')],
    }),
    call(contract.downloads.downloadForReview, '下载原文件', {
      confirm: '用于审核，不计下载次数。',
      onSuccess: ({ url }) => location.assign(downloadPath(url)),
      disabledReason: ({ status }: Document) =>
        reviewableStatuses.includes(status) ? undefined : '可以在文档页面下载',
    }),
  ],
  toolbar: [
    call(api.reconvert, '重新转换失败的文档', {
      confirm: '全部转换失败的文档会重新排队转换。',
      successMessage: '转换失败的文档已重新排队',
    }),
    call(contract.searches.reindex, '重建搜索索引', {
      confirm: '在后台进行，重建期间搜索照常可用。',
      successMessage: '搜索索引正在后台重建，期间搜索照常可用',
    }),
  ],
  deleteWarning: '文档会移到回收站，可以恢复。',
})

function setStatus(
  status: DocumentStatus,
  label: string,
  { event, ...options }: { event: DocumentEvent; confirm: string },
) {
  const disabledReason = unlessPossible(event)
  return call(api.review, label, { bulk: true, input: { status }, rowsInput: filesOf, disabledReason, ...options })
}

/** A decision is about the files in the list: it is refused if one was replaced since. */
function filesOf(documents: readonly Document[]) {
  return { attachment_id: documents.map(({ attachment }) => attachment.id) }
}

/** Disables an action on documents whose status does not allow its event. */
function unlessPossible(event: DocumentEvent) {
  return ({ status }: Document) =>
    nextStatus(status, event) === undefined ? `当前状态：${documentStatusLabels[status]}` : undefined
}

function audienceText({ visibility, downloadable }: Document): string {
  return downloadable ? visibilityLabels[visibility] : `${visibilityLabels[visibility]}，仅在线阅读`
}

function Audience({ document }: { document: Document }) {
  const { visibility, downloadable } = document
  return (
    <TwoLines
      primary={
        <Tag color={visibility === Visibility.Public ? undefined : 'purple'} variant="filled">
          {visibilityLabels[visibility]}
        </Tag>
      }
      secondary={downloadable ? undefined : '仅在线阅读'}
    />
  )
}

function categoryText({ category }: Document): string {
  return category.map(({ title }) => title).join(' / ')
}

function statusText(document: Document): string {
  return isUnpreviewable(document) ? unpreviewableLabel : documentStatusLabels[document.status]
}

function Title({ document }: { document: Document }) {
  const { uuid, title, ext, cover, recommend_at, is_vip, deleted_at } = document
  return (
    <Flex gap={10} align="center">
      {/* The cover of a deleted document is not served. */}
      <Thumbnail ext={ext} cover={deleted_at ? '' : cover} />
      <span className={styles.title}>
        {deleted_at ? (
          <span>{title}</span>
        ) : (
          <a href={`/document/${uuid}`} target="_blank" rel="noreferrer">
            {title}
          </a>
        )}{' '}
        {recommend_at ? <Tag color="magenta">推荐</Tag> : null}
        {is_vip ? <Tag color="gold">VIP</Tag> : null}
      </span>
    </Flex>
  )
}

/** The status; the reason of a failure or rejection below, and the output of the conversion on hover. */
function Status({ document }: { document: Document }) {
  const { status, convert_error, convert_detail, reject_reason } = document
  if (isUnpreviewable(document)) return <Tag variant="filled">{unpreviewableLabel}</Tag>
  const reason = status === DocumentStatus.Rejected ? reject_reason : convert_error
  const tag = (
    <Tag color={statusColors[status]} variant="filled">
      {documentStatusLabels[status]}
    </Tag>
  )
  if (!reason && !convert_detail) return tag
  return (
    <Tooltip title={convert_detail || reason}>
      <span>
        <TwoLines primary={tag} secondary={<Typography.Text type="secondary">{reason}</Typography.Text>} />
      </span>
    </Tooltip>
  )
}
