import { Flex, Tag, Tooltip, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Document } from '#shared/contract/documents.ts'
import { documentKinds, kindFilters, kindOf } from '#shared/document-kinds.ts'
import { documentStatusLabels, type DocumentStatus, nextStatus } from '#shared/document-status.ts'
import { formatSize } from '#shared/format.ts'
import { call } from '#web/admin/actions.ts'
import { dash, Pair } from '#web/admin/cells.tsx'
import { cell, figure, time, user } from '#web/admin/columns.tsx'
import { categoryPath, language, number, select, text, textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.documents

const colors: Record<number, string> = {
  0: 'blue',
  1: 'processing',
  2: 'green',
  3: 'red',
  5: 'blue',
  6: 'gold',
  7: 'volcano',
}

export const documentColumns = {
  id: { key: 'id', width: 72, sort: true } as const,
  title: cell('title', '文档', (row: Document) => <Title document={row} />, { width: 270 }),
  author: user('username', 'user_id', { label: '上传者' }),
  category: cell(
    'category',
    '分类',
    ({ category }: Document) => category.map(({ title }) => title).join(' / ') || dash,
  ),
  status: cell('status', '状态', (row: Document) => <Status document={row} />, { width: 120 }),
}

export const documents = resource({
  title: '文档',
  api: { list: api.list, get: api.get, update: api.update, delete: api.delete },
  needs: {
    get: 'DocumentAPI/GetDocument',
    update: 'DocumentAPI/UpdateDocument',
    delete: 'DocumentAPI/DeleteDocument',
  },
  columns: [
    documentColumns.id,
    documentColumns.title,
    documentColumns.author,
    documentColumns.category,
    documentColumns.status,
    figure('pages', { label: '页数', sort: true }),
    figure('price', { label: '价格', sort: true }),
    cell('size', '大小', ({ size }: Document) => <span className="wa-figure">{formatSize(size)}</span>, { sort: true }),
    figure('view_count', { label: '浏览', sort: true }),
    figure('download_count', { label: '下载', sort: true }),
    figure('favorite_count', { label: '收藏', sort: true, extra: true }),
    cell('score', '评分', ({ score, score_count }: Document) => (score_count > 0 ? (score / 100).toFixed(1) : dash), {
      extra: true,
    }),
    cell('language', '语言', (row: Document) => row.language || dash, { extra: true }),
    time('recommend_at', { label: '推荐时间', sort: true, extra: true }),
    time('created_at', { label: '上传时间', sort: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', documentStatusLabels),
    categoryPath('category_id', '分类', 0),
    select('ext', '类型', kindFilters),
    language('language', '语言'),
    toggle('is_recommend', '已推荐'),
  ],
  form: {
    update: [
      text('title', '标题'),
      categoryPath('category_id', '分类', 0),
      language('language', '语言', { half: true }),
      number('price', '价格', { min: 0, half: true }),
      text('keywords', '关键字', { help: '多个关键字用逗号分隔' }),
      textarea('description', '简介'),
    ],
  },
  actions: [
    check(0, '审核通过', 'approve', '通过后所有人都能看到。'),
    call(api.check, '审核不通过', {
      bulk: true,
      danger: true,
      given: { status: 7 },
      ask: [textarea('reason', '原因', { help: '上传者会看到，可以留空' })],
      blocked: unless('reject'),
    }),
    check(4, '禁用', 'disable', '禁用后只有上传者和管理人员能看到，不能下载。', true),
    check(2, '启用', 'enable', '启用后所有人都能看到。'),
    check(6, '退回待审核', 'review', '审核之前，只有上传者和管理人员能看到。'),
    call(api.reconvert, '重新转换', {
      bulk: true,
      question: '用原文件重新生成页面，完成之前仍显示原来的页面。',
      blocked: unless('reconvert'),
    }),
    call(api.recommend, '推荐', { bulk: true, given: { type: 2 }, question: '推荐的文档排在首页最前。' }),
    call(api.recommend, '取消推荐', {
      bulk: true,
      given: { type: 0 },
      blocked: ({ recommend_at }: Document) => (recommend_at ? undefined : '没有推荐'),
    }),
    call(api.setCategory, '修改分类', { bulk: true, ask: [categoryPath('category_id', '分类', 0)] }),
    call(api.setLanguage, '修改语言', { bulk: true, ask: [language('language', '语言')] }),
    call(api.downloadForReview, '下载原文件', {
      question: '用于审核，不计下载次数。',
      after: ({ url }) => location.assign(url),
      blocked: ({ status }: Document) => ([4, 6, 7].includes(status) ? undefined : '可以在文档页面下载'),
    }),
  ],
  general: [
    call(api.reconvert, '重新转换失败的文档', {
      question: '全部转换失败的文档会重新排队转换。',
      done: '转换失败的文档已重新排队',
    }),
    call(api.reindex, '重建搜索索引', {
      question: '在后台进行，重建期间搜索照常可用。',
      done: '搜索索引正在后台重建，期间搜索照常可用',
    }),
  ],
  deletion: '文档会移到回收站，可以恢复。',
})

/** Brings documents to a state, for those in which that means something. */
function check(
  status: DocumentStatus,
  label: string,
  event: Parameters<typeof nextStatus>[1],
  question: string,
  danger = false,
) {
  return call(api.check, label, { bulk: true, given: { status }, question, danger, blocked: unless(event) })
}

function unless(event: Parameters<typeof nextStatus>[1]) {
  return ({ status }: Document) =>
    nextStatus(status, event) === undefined ? `当前状态：${documentStatusLabels[status as DocumentStatus]}` : undefined
}

function Title({ document }: { document: Document }) {
  const { uuid, title, ext, recommend_at, deleted_at } = document
  return (
    <Flex gap={6} align="baseline">
      <Tag variant="filled">{documentKinds[kindOf(ext)].label}</Tag>
      {deleted_at ? (
        <span>{title}</span>
      ) : (
        <a href={`/document/${uuid}`} target="_blank" rel="noreferrer">
          {title}
        </a>
      )}
      {recommend_at ? <Tag color="magenta">推荐</Tag> : null}
    </Flex>
  )
}

/** The state in a word; why it failed or was rejected, and what the programs said, on hover. */
function Status({ document }: { document: Document }) {
  const { status, convert_error, convert_detail, reject_reason } = document
  const reason = status === 7 ? reject_reason : convert_error
  const word = (
    <Tag color={colors[status]} variant="filled">
      {documentStatusLabels[status as DocumentStatus]}
    </Tag>
  )
  if (!reason && !convert_detail) return word
  return (
    <Tooltip title={convert_detail || reason}>
      <span>
        <Pair first={word} second={<Typography.Text type="secondary">{reason}</Typography.Text>} />
      </span>
    </Tooltip>
  )
}
