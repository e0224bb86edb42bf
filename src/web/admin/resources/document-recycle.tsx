import { contract } from '#shared/contract/contract.ts'
import { call } from '#web/admin/actions.ts'
import { time, user } from '#web/admin/columns.tsx'
import { categoryPath } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { documentColumns } from '#web/admin/resources/documents.tsx'

const api = contract.documentRecycle

export const documentRecycle = resource({
  title: '文档',
  api: { list: api.list, delete: api.delete },
  hint: '删除的文档留在这里，可以恢复；彻底删除后，文件也会一并清除。',
  nothing: '回收站是空的',
  columns: [
    documentColumns.id,
    documentColumns.title,
    documentColumns.author,
    documentColumns.category,
    documentColumns.status,
    user('deleted_username', 'deleted_user_id', { label: '删除者' }),
    time('deleted_at', { label: '删除时间', sort: true }),
    time('created_at', { label: '上传时间', sort: true, extra: true }),
  ],
  filters: ['wd', categoryPath('category_id', '分类', 0)],
  actions: [call(api.recover, '恢复', { bulk: true, question: '恢复后回到删除之前的状态。' })],
  general: [call(api.clear, '清空回收站', { danger: true, question: '回收站里的全部文档会被彻底删除，不能恢复。' })],
  deletion: '彻底删除后不能恢复，文件也会一并清除。',
})
