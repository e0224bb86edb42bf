import { Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { downloadPath } from '#web/domain/paths.ts'
import type { Replacement } from '#shared/contract/document-files.ts'
import { ReplacementStatus, replacementStatusLabels } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import { documentRejectReasons } from '#shared/review-reasons.ts'
import { call } from '#web/admin/actions.ts'
import { dash, TwoLines, UserLink } from '#web/admin/cells.tsx'
import { customColumn, timeColumn } from '#web/admin/columns.tsx'
import { select, textarea } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const { list, approve, reject } = contract.replacements

export const replacements = resource({
  title: '文件替换',
  api: { list },
  hint: '作者用新文件替换已发布文档的文件。需要审核的，通过之前读者看到的仍是原来的文件。',
  emptyText: '还没有替换过文件',
  columns: [
    customColumn('document_title', '文档', (row: Replacement) => <Subject row={row} />, { width: 220 }),
    customColumn('file', '新文件', ({ file }: Replacement) => <FileCell file={file} />, {
      width: 220,
      text: ({ file }: Replacement) => file.name,
    }),
    customColumn('former', '原来的文件', ({ former }: Replacement) => (former ? <FileCell file={former} /> : dash), {
      width: 220,
      text: ({ former }: Replacement) => former?.name ?? '',
    }),
    customColumn(
      'username',
      '提交者',
      ({ user_id, username }: Replacement) => <UserLink id={user_id} name={username} />,
      { width: 120, text: ({ username }: Replacement) => username },
    ),
    customColumn(
      'status',
      '状态',
      ({ status, reason, reviewer }: Replacement) => (
        <TwoLines
          primary={
            <Tag color={colors[status]} variant="filled">
              {replacementStatusLabels[status]}
            </Tag>
          }
          secondary={[reason, reviewer && `审核：${reviewer}`].filter(Boolean).join(' · ')}
        />
      ),
      { width: 200, text: ({ status }: Replacement) => replacementStatusLabels[status] },
    ),
    timeColumn('created_at', { label: '提交时间' }),
    timeColumn('ended_at', { label: '结束时间' }),
  ],
  filters: ['wd', select('status', '状态', replacementStatusLabels)],
  actions: [
    call(contract.downloads.downloadReplacement, '下载新文件', {
      confirm: '用于审核，不计下载次数。',
      onSuccess: ({ url }) => location.assign(downloadPath(url)),
      disabledReason: ({ status }: Replacement) =>
        status === ReplacementStatus.InReview || status === ReplacementStatus.Converting ? undefined : '已经结束',
    }),
    call(approve, '通过', {
      confirm: '新文件转换完成后代替原来的文件；地址、评论和销量不变。',
      disabledReason: unlessInReview,
    }),
    call(reject, '不通过', {
      danger: true,
      startsEmpty: true,
      fields: [textarea('reason', '原因', { required: true, help: `会告诉作者，如“${documentRejectReasons[0]}”` })],
      disabledReason: unlessInReview,
    }),
  ],
  rowName: ({ document_title }) => document_title,
})

const colors: Partial<Record<ReplacementStatus, string>> = {
  [ReplacementStatus.InReview]: 'gold',
  [ReplacementStatus.Converting]: 'blue',
  [ReplacementStatus.Published]: 'green',
  [ReplacementStatus.Failed]: 'red',
  [ReplacementStatus.Rejected]: 'red',
}

function unlessInReview({ status }: Replacement): string | undefined {
  return status === ReplacementStatus.InReview ? undefined : `状态是“${replacementStatusLabels[status]}”`
}

function Subject({ row: { document_uuid, document_title } }: { row: Replacement }) {
  if (!document_uuid) return dash
  return (
    <a href={`/document/${document_uuid}`} target="_blank" rel="noreferrer">
      {document_title}
    </a>
  )
}

function FileCell({ file: { name, size } }: { file: { name: string; size: number } }) {
  return <TwoLines primary={name} secondary={formatSize(size)} />
}
