import { contract } from '#shared/contract/contract.ts'
import { ContentType } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import { timeColumn } from '#web/admin/columns.tsx'
import { categoryPath, dateRange, user } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { articleColumns } from '#web/admin/resources/content/articles.tsx'

const api = contract.articleRecycle

export const articleRecycle = resource({
  title: '文章',
  api: { list: api.list, delete: api.delete },
  hint: '删除的文章留在这里，可以恢复；彻底删除后，文中的图片也会一并清除。',
  emptyText: '回收站是空的',
  columns: [
    articleColumns.id,
    articleColumns.title,
    articleColumns.status,
    articleColumns.author,
    articleColumns.category,
    timeColumn('deleted_at', { label: '删除时间', sort: true }),
    timeColumn('created_at', { label: '发布时间', sort: true, hiddenByDefault: true }),
  ],
  filters: [
    'wd',
    categoryPath('category_id', '分类', ContentType.Article),
    user('user_id', '作者'),
    dateRange('created_at', '发布时间'),
  ],
  actions: [call(api.restore, '恢复', { bulk: true, confirm: '恢复后回到删除之前的状态。' })],
  toolbar: [call(api.empty, '清空回收站', { danger: true, confirm: '回收站里的全部文章会被彻底删除，不能恢复。' })],
  deleteWarning: '彻底删除后不能恢复，文中的图片也会一并清除。',
})
