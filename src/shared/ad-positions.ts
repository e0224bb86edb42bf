/** The positions of advertisements, grouped by page. */
export const adPositionGroups = {
  global: { title: '全站', positions: { global_top: '页面顶部', global_bottom: '页面底部' } },
  index: {
    title: '首页',
    positions: {
      index_banner_bottom: '横幅下方',
      index_category_top: '分类上方',
      index_category_bottom: '分类下方',
      index_link_top: '友情链接上方',
    },
  },
  list: {
    title: '列表页',
    positions: {
      list_nav_bottom: '导航下方',
      list_document_top: '文档列表上方',
      list_document_bottom: '文档列表下方',
    },
  },
  document: {
    title: '文档页',
    positions: { document_top: '页面顶部', document_bottom: '评论上方', document_between: '文档页之间' },
  },
  user: { title: '用户主页', positions: { user_top: '页面顶部', user_document_top: '文档列表上方' } },
  search: {
    title: '搜索页',
    positions: { search_top: '结果上方', search_bottom: '结果下方', search_right: '右侧' },
  },
} as const

const names = new Map(
  Object.values(adPositionGroups).flatMap(({ title, positions }) =>
    Object.entries(positions).map(([position, label]) => [position, `${title} · ${label}`] as const),
  ),
)

export const adPositionLabels: Readonly<Record<string, string>> = Object.fromEntries(names)

export function isAdPosition(position: string): boolean {
  return names.has(position)
}

/** Its label; for a position that is no longer offered, its key. */
export function adPositionName(position: string): string {
  return names.get(position) ?? position
}
