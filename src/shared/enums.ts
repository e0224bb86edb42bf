/** Numbers that travel on the wire, with the words that people read. */

export const recordStatus = { 0: '正常', 1: '禁用', 2: '审核中', 3: '审核拒绝', 4: '已忽略' } as const

export const reviewStatus = { 0: '待审核', 1: '审核通过', 2: '审核拒绝' } as const

export const punishmentType = {
  1: '禁用账号',
  2: '禁止评论',
  3: '禁止上传',
  4: '禁止下载',
  5: '禁止收藏',
  6: '禁止发布文章',
} as const
export type PunishmentType = keyof typeof punishmentType

export const contentType = { 0: '文档', 1: '文章' } as const

export const captchaPurposes = ['register', 'login', 'find_password', 'comment'] as const
export type CaptchaPurpose = (typeof captchaPurposes)[number]

/** Advertisement positions by the part of the site they belong to. */
export const advertisementPositions = {
  全站: { global_top: '顶部', global_bottom: '底部' },
  首页: {
    index_banner_bottom: '横幅下方',
    index_category_top: '分类上方',
    index_category_bottom: '分类下方',
    index_link_top: '友情链接上方',
  },
  列表页: { list_nav_bottom: '导航下方', list_document_top: '文档列表上方', list_document_bottom: '文档列表下方' },
  文档页: { document_top: '顶部', document_bottom: '评论上方', document_between: '页间' },
  用户页: { user_top: '顶部', user_document_top: '文档列表上方' },
  搜索页: { search_top: '顶部', search_bottom: '底部', search_right: '右侧' },
} as const
