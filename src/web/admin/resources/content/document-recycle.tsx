import { contract } from '#shared/contract/contract.ts'
import { ContentType } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import { timeColumn, userColumn } from '#web/admin/columns.tsx'
import { categoryPath, dateRange, user } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { documentColumns } from '#web/admin/resources/content/documents.tsx'

const api = contract.documentRecycle

export const documentRecycle = resource({
  title: '文档',
  api: { list: api.list, delete: api.delete },
  hint: '删除的文档留在这里，可以恢复；彻底删除后，文件也会一并清除。',
  emptyText: '回收站是空的',
  columns: [
    documentColumns.id,
    documentColumns.title,
    documentColumns.status,
    documentColumns.author,
    documentColumns.category,
    userColumn('deleted_username', 'deleted_user_id', { label: '删除者' }),
    timeColumn('deleted_at', { label: '删除时间', sort: true }),
    timeColumn('created_at', { label: '上传时间', sort: true, hiddenByDefault: true }),
  ],
  filters: [
    'wd',
    categoryPath('category_id', '分类', ContentType.Document),
    user('user_id', '上传者'),
    dateRange('created_at', '上传时间'),
  ],
  actions: [call(api.restore, '恢复', { bulk: true, confirm: '恢复后回到删除之前的状态。' })],
  toolbar: [call(api.empty, '清空回收站', { danger: true, confirm: '回收站里的全部文档会被彻底删除，不能恢复。' })],
  deleteWarning: '彻底删除后不能恢复，文件也会一并清除。',
})
