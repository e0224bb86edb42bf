import { contract } from '#shared/contract/contract.ts'
import type { Attachment } from '#shared/contract/attachments.ts'
import { attachmentTypeLabels } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import { Outward, Pair } from '#web/admin/cells.tsx'
import { cell, note, plain, tag, time, toggle as switching, user } from '#web/admin/columns.tsx'
import { select, text, textarea, toggle, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const { list, get, update } = contract.attachments

export const attachments = resource({
  title: '附件',
  // They are the system's: what nobody uses any more is removed by itself.
  api: { list, get, update },
  hint: '附件由系统管理，不再使用的会自动清除。停用一个附件，内容相同的文件就不能再上传。',
  columns: [
    { key: 'id', width: 72 },
    cell(
      'name',
      '名称',
      ({ name, path }: Attachment) => <Pair first={name} second={path ? <Outward href={path} /> : undefined} />,
      { width: 300 },
    ),
    tag('type', attachmentTypeLabels, { label: '用途' }),
    user('username', 'user_id', { label: '上传者' }),
    cell('size', '大小', ({ size }: Attachment) => <span className="wa-figure">{formatSize(size)}</span>),
    plain('ext', { label: '扩展名', width: 90 }),
    switching('enable'),
    note('description', { label: '备注' }),
    plain('ip', { label: 'IP', extra: true }),
    plain('hash', { label: 'SHA-256', extra: true }),
    time('created_at', { label: '上传时间' }),
  ],
  filters: ['wd', select('type', '用途', attachmentTypeLabels), toggle('enable', '启用'), users('user_id', '上传者')],
  form: {
    update: [
      text('name', '名称'),
      toggle('enable', '启用', { help: '停用后，内容相同的文件不能再上传' }),
      textarea('description', '备注'),
    ],
  },
  nameOf: (row) => row.name,
})
