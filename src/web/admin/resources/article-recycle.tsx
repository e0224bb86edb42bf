import { contract } from '#shared/contract/contract.ts'
import { call } from '#web/admin/actions.ts'
import { time } from '#web/admin/columns.tsx'
import { categoryPath } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { articleColumns } from '#web/admin/resources/articles.tsx'

const api = contract.articleRecycle

export const articleRecycle = resource({
  title: '文章',
  api: { list: api.list, delete: api.delete },
  hint: '删除的文章留在这里，可以恢复；彻底删除后，文中的图片也会一并清除。',
  nothing: '回收站是空的',
  columns: [
    articleColumns.id,
    articleColumns.title,
    articleColumns.author,
    articleColumns.category,
    articleColumns.status,
    time('deleted_at', { label: '删除时间', sort: true }),
    time('created_at', { label: '发布时间', sort: true, extra: true }),
  ],
  filters: ['wd', categoryPath('category_id', '分类', 1)],
  actions: [call(api.restore, '恢复', { bulk: true, question: '恢复后回到删除之前的状态。' })],
  general: [call(api.empty, '清空回收站', { danger: true, question: '回收站里的全部文章会被彻底删除，不能恢复。' })],
  deletion: '彻底删除后不能恢复，文中的图片也会一并清除。',
})
