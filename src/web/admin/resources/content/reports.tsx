import { Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { reportReasonLabels } from '#shared/enums.ts'
import { dash } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, tagColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const { list, update, delete: remove } = contract.reports

type Report = Reply<typeof list>['report'][number]

export const reports = resource({
  title: '举报',
  api: { list, update, delete: remove },
  editLabel: '处理',
  hint: '处理举报不会改动文档：需要禁用或删除时，请到文档管理。',
  columns: [
    { key: 'id', width: 72 },
    customColumn('document_title', '文档', (row: Report) => <ReportedDocument report={row} />, { width: 300 }),
    tagColumn('reason', reportReasonLabels, { label: '原因' }),
    userColumn('username', 'user_id', { label: '举报人' }),
    customColumn('status', '状态', ({ status }: Report) => <HandledTag isHandled={status} />, { width: 96 }),
    longTextColumn('remark', { label: '处理备注' }),
    timeColumn('created_at', { label: '举报时间' }),
    timeColumn('updated_at', { hiddenByDefault: true }),
  ],
  filters: ['wd', toggle('status', '已处理')],
  form: {
    update: [
      toggle('status', '已处理'),
      textarea('remark', '处理备注', { help: '记下怎样处理的，只有管理人员能看到' }),
    ],
  },
  rowName: (row) => row.document_title || `#${row.id}`,
})

function ReportedDocument({ report: { document_title, document_uuid } }: { report: Report }) {
  if (!document_uuid) return document_title || dash
  return (
    <a href={`/document/${document_uuid}`} target="_blank" rel="noreferrer">
      {document_title || document_uuid}
    </a>
  )
}

function HandledTag({ isHandled }: { isHandled: boolean }) {
  return (
    <Tag color={isHandled ? 'green' : 'gold'} variant="filled">
      {isHandled ? '已处理' : '待处理'}
    </Tag>
  )
}
