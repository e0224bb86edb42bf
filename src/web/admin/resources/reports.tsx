import { Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { reportReasonLabels } from '#shared/enums.ts'
import { dash } from '#web/admin/cells.tsx'
import { cell, note, tag, time, user } from '#web/admin/columns.tsx'
import { textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const { list, update, delete: remove } = contract.reports

type Report = Reply<typeof list>['report'][number]

export const reports = resource({
  title: '举报',
  api: { list, update, delete: remove },
  editing: '处理',
  hint: '处理举报不会改动文档：需要禁用或删除时，请到文档管理。',
  columns: [
    { key: 'id', width: 72 },
    cell('document_title', '文档', (row: Report) => <Reported report={row} />, { width: 300 }),
    tag('reason', reportReasonLabels, { label: '原因' }),
    user('username', 'user_id', { label: '举报人' }),
    cell('status', '状态', ({ status }: Report) => <Handled status={status} />, { width: 96 }),
    note('remark', { label: '处理备注' }),
    time('created_at', { label: '举报时间' }),
    time('updated_at', { extra: true }),
  ],
  filters: ['wd', toggle('status', '已处理')],
  form: {
    update: [
      toggle('status', '已处理'),
      textarea('remark', '处理备注', { help: '记下怎样处理的，只有管理人员能看到' }),
    ],
  },
  nameOf: (row) => row.document_title || `#${row.id}`,
})

function Reported({ report: { document_title, document_uuid } }: { report: Report }) {
  if (!document_uuid) return document_title || dash
  return (
    <a href={`/document/${document_uuid}`} target="_blank" rel="noreferrer">
      {document_title || document_uuid}
    </a>
  )
}

function Handled({ status }: { status: boolean }) {
  return (
    <Tag color={status ? 'green' : 'gold'} variant="filled">
      {status ? '已处理' : '待处理'}
    </Tag>
  )
}
