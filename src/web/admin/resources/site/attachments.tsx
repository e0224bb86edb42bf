import { contract } from '#shared/contract/contract.ts'
import type { Attachment } from '#shared/contract/attachments.ts'
import { attachmentTypeLabels } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import { ExternalLink, TwoLines } from '#web/admin/cells.tsx'
import cells from '#web/admin/cells.module.css'
import {
  customColumn,
  longTextColumn,
  textColumn,
  tagColumn,
  timeColumn,
  toggleColumn,
  userColumn,
} from '#web/admin/columns.tsx'
import { dateRange, select, text, textarea, toggle, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const { list, get, update, patch } = contract.attachments

export const attachments = resource({
  title: '附件',
  // Deletion is left to the system, which removes unused attachments.
  api: { list, get, update, patch },
  hint: '附件由系统管理，不再使用的会自动清除。停用一个附件，内容相同的文件就不能再上传。',
  columns: [
    { key: 'id', width: 72 },
    customColumn(
      'name',
      '名称',
      ({ name, path }: Attachment) => (
        <TwoLines primary={name} secondary={path ? <ExternalLink href={path} /> : undefined} />
      ),
      { width: 300 },
    ),
    tagColumn('type', attachmentTypeLabels, { label: '用途' }),
    userColumn('username', 'user_id', { label: '上传者' }),
    customColumn('size', '大小', ({ size }: Attachment) => <span className={cells.numeric}>{formatSize(size)}</span>, {
      text: ({ size }: Attachment) => formatSize(size),
    }),
    textColumn('ext', { label: '扩展名', width: 90 }),
    toggleColumn('enable'),
    longTextColumn('description', { label: '备注' }),
    textColumn('ip', { label: 'IP', hiddenByDefault: true }),
    textColumn('hash', { label: 'SHA-256', hiddenByDefault: true }),
    timeColumn('created_at', { label: '上传时间' }),
  ],
  filters: [
    'wd',
    select('type', '用途', attachmentTypeLabels),
    toggle('enable', '启用'),
    users('user_id', '上传者'),
    dateRange('created_at', '上传时间'),
  ],
  form: {
    update: [
      text('name', '名称'),
      toggle('enable', '启用', { help: '停用后，内容相同的文件不能再上传' }),
      textarea('description', '备注'),
    ],
  },
  rowName: (row) => row.name,
})
