import { Flex, Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Navigation } from '#shared/contract/site.ts'
import cells from '#web/admin/cells.module.css'
import { customColumn, linkColumn, longTextColumn, toggleColumn } from '#web/admin/columns.tsx'
import { color, navigationParent, number, select, text, textarea, toggle, url } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.navigations
const targets = { _self: '当前窗口', _blank: '新窗口' } as const

export const navigations = resource({
  title: '导航',
  api,
  hint: '显示在页面顶部，最多两级。拖动把手调整同级的顺序；固定的导航不能删除，可以改名或停用。',
  tree: true,
  columns: [
    customColumn('title', '名称', (row: Navigation) => <Entry entry={row} />, { width: 200 }),
    { key: 'id', width: 72, hiddenByDefault: true },
    linkColumn('href'),
    toggleColumn('enable'),
    customColumn('target', '打开方式', ({ target }: Navigation) => targets[target || '_self'], {
      width: 110,
      text: ({ target }: Navigation) => targets[target || '_self'],
    }),
    longTextColumn('description'),
    { key: 'sort', width: 80, align: 'right', hiddenByDefault: true },
    'updated_at',
  ],
  filters: ['wd'],
  ordering: { endpoint: api.sort, within: ['parent_id'] },
  form: [
    navigationParent('parent_id', '上级导航'),
    text('title', '名称'),
    url('href', '链接', { placeholder: '/category 或 https://' }),
    select('target', '打开方式', targets, { empty: '_self', half: true }),
    color('color', '颜色', { half: true }),
    toggle('enable', '启用', { empty: true }),
    number('sort', '排序', { help: '大的排在前面', half: true }),
    textarea('description', '说明', { help: '只在后台显示' }),
  ],
  errorFields: { 'navigations.parentUnknown': 'parent_id', 'navigations.tooDeep': 'parent_id' },
  undeletable: ({ fixed }) => (fixed ? '固定的导航不能删除，可以停用' : undefined),
  deleteWarning: '它的下级导航会一并删除，不能恢复。',
})

/** The entry's own colour is shown as a dot: as a text colour it may lack contrast. */
function Entry({ entry: { title, color: ownColor, fixed } }: { entry: Navigation }) {
  return (
    <Flex gap={8} align="center" component="span" style={{ display: 'inline-flex' }}>
      {title}
      {ownColor && <span className={cells.dot} style={{ background: ownColor }} />}
      {fixed && <Tag variant="filled">固定</Tag>}
    </Flex>
  )
}
