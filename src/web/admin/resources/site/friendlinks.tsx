import { contract } from '#shared/contract/contract.ts'
import { linkColumn, longTextColumn, textColumn, toggleColumn } from '#web/admin/columns.tsx'
import { number, text, textarea, toggle, url } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.friendlinks

export const friendlinks = resource({
  title: '友情链接',
  api,
  hint: '显示在页脚。拖动把手调整顺序。',
  columns: [
    textColumn('title', { width: 200 }),
    { key: 'id', width: 72, hiddenByDefault: true },
    linkColumn('link'),
    longTextColumn('description'),
    toggleColumn('enable'),
    { key: 'sort', width: 80, align: 'right', hiddenByDefault: true },
    'created_at',
  ],
  filters: ['wd', 'enable'],
  ordering: { endpoint: api.sort, order: 'sort desc' },
  form: [
    text('title', '名称'),
    url('link', '网址', { required: true }),
    textarea('description', '说明', { help: '只在后台显示' }),
    toggle('enable', '启用', { empty: true }),
    number('sort', '排序', { help: '大的排在前面', half: true }),
  ],
})
