import { Tag } from 'antd'
import type { DownloadCodeBatch } from '#shared/contract/codes.ts'
import { contract } from '#shared/contract/contract.ts'
import { DownloadCodeKind, downloadCodeKindLabels } from '#shared/enums.ts'
import { call, goto } from '#web/admin/actions.ts'
import { CreditName, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, numberColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { dateRange, numbers, number, select, selectMany, textarea, time, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { OrderLink } from '#web/admin/resources/orders/order-link.tsx'
import { BatchLimit, describeBatch, describeValidity, NewCodes } from '#web/admin/resources/site/new-codes.tsx'

const api = contract.codes

const states = {
  voided: { label: '已作废', color: 'default' },
  waiting: { label: '未开始', color: 'blue' },
  expired: { label: '已过期', color: 'default' },
  usedUp: { label: '已用完', color: 'default' },
  usable: { label: '可用', color: 'green' },
} as const

const isFor = (kind: DownloadCodeKind) => (values: Record<string, unknown>) => values['kind'] === kind

export const downloadCodes = resource({
  title: '下载码',
  api: { list: api.list, create: api.create, delete: api.delete },
  created: NewCodes,
  hint: '下载码只在生成的时候显示和导出一次，网站只保存它们的摘要。会员在支付文档时使用，或在个人中心充值到余额；要先在“下载设置”里打开下载码。',
  columns: [
    { key: 'id', label: '批次', width: 72 },
    customColumn(
      'kind',
      '用途',
      (batch: DownloadCodeBatch) => (
        <TwoLines primary={downloadCodeKindLabels[batch.kind]} secondary={<BatchLimit batch={batch} />} />
      ),
      { width: 200, text: (batch) => `${downloadCodeKindLabels[batch.kind]} ${describeBatch(batch, '')}`.trim() },
    ),
    customColumn(
      'voided_at',
      '状态',
      (batch: DownloadCodeBatch) => <Tag color={stateOf(batch).color}>{stateOf(batch).label}</Tag>,
      { width: 90, text: (batch) => stateOf(batch).label },
    ),
    numberColumn('count', { label: '数量' }),
    numberColumn('used_count', { label: '已用' }),
    customColumn('valid_until', '有效期', describeValidity, { width: 180, text: describeValidity }),
    longTextColumn('note', { label: '备注' }),
    userColumn('username', 'user_id', { label: '生成的人' }),
    timeColumn('created_at'),
  ],
  filters: ['wd', selectMany('kind', '用途', downloadCodeKindLabels), dateRange('created_at', '创建时间')],
  form: {
    create: [
      select('kind', '用途', downloadCodeKindLabels, { empty: DownloadCodeKind.AnyDocument }),
      number('count', '数量', { empty: 100, min: 1, max: 10_000, unit: '个' }),
      number('max_price', '文档的最高价格', { help: '0 为不限', isShown: isFor(DownloadCodeKind.AnyDocument) }),
      numbers('document_id', '文档的编号', {
        help: '每个码换取其中一篇',
        isShown: isFor(DownloadCodeKind.NamedDocuments),
      }),
      number('credits', '每个下载码充值的数量', { isShown: isFor(DownloadCodeKind.Credits) }),
      time('valid_from', '开始时间', { placeholder: '不限', half: true, isStart: true }),
      time('valid_until', '结束时间', { placeholder: '不限', half: true }),
      textarea('note', '备注', { help: '只有管理人员能看到，例如发给谁' }),
    ],
  },
  errorFields: {
    'schedule.backward': 'valid_until',
    'codes.creditsNeeded': 'credits',
    'codes.documentsNeeded': 'document_id',
    'codes.documentUnknown': 'document_id',
  },
  actions: [
    goto('/admin/downloadcode/used', '使用记录', ({ id }: DownloadCodeBatch) => `batch_id=${id}`),
    call(api.void, '作废', {
      danger: true,
      confirm: '没有用过的下载码不能再用，不能恢复。',
      disabledReason: ({ voided_at }: DownloadCodeBatch) => (voided_at === null ? undefined : '已经作废'),
    }),
  ],
  undeletable: ({ used_count }) => (used_count > 0 ? '有下载码用过，是账目，不能删除' : undefined),
  rowName: ({ id, note }) => note || `批次 ${id}`,
})

export const usedDownloadCodes = resource({
  title: '使用记录',
  api: { list: api.used },
  hint: '有人问起一个下载码时，可以直接搜索它。',
  emptyText: '还没有人用过下载码',
  columns: [
    customColumn(
      'product_name',
      '换取了什么',
      ({ product_name, kind }: { product_name: string; kind: DownloadCodeKind }) => (
        <TwoLines primary={product_name} secondary={downloadCodeKindLabels[kind]} />
      ),
      { width: 260, text: ({ product_name }) => product_name },
    ),
    userColumn('username', 'user_id', { label: '用户' }),
    timeColumn('used_at', { label: '使用时间' }),
    customColumn('order_no', '订单', ({ order_no }: { order_no: string }) => <OrderLink orderNo={order_no} />, {
      width: 240,
      text: ({ order_no }) => order_no,
    }),
    numberColumn('amount', { label: <CreditName /> }),
    numberColumn('batch_id', { label: '批次' }),
    longTextColumn('note', { label: '批次的备注' }),
  ],
  filters: ['wd', numbers('batch_id', '批次'), users('user_id', '用户'), dateRange('used_at', '使用时间')],
  rowName: ({ order_no }) => order_no,
})

function stateOf({ voided_at, valid_from, valid_until, used_count, count }: DownloadCodeBatch) {
  if (voided_at !== null) return states.voided
  if (used_count === count) return states.usedUp
  if (valid_until !== null && valid_until <= Date.now()) return states.expired
  return valid_from !== null && valid_from > Date.now() ? states.waiting : states.usable
}
