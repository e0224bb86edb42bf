/** Numbers that travel on the wire, with the words that people read. */

export const punishmentType = {
  1: '禁用账号',
  2: '禁止评论',
  3: '禁止上传',
  4: '禁止下载',
  5: '禁止收藏',
  6: '禁止发布文章',
} as const
export type PunishmentType = keyof typeof punishmentType

export const captchaPurposes = ['register', 'login', 'find_password', 'comment'] as const
export type CaptchaPurpose = (typeof captchaPurposes)[number]

export const attachmentType = {
  0: '未知',
  1: '头像',
  2: '文档',
  3: '文章',
  4: '评论',
  5: '横幅',
  6: '分类封面',
  7: '配置',
  8: '采集文档',
} as const
export type AttachmentType = keyof typeof attachmentType

export const bannerType = { 0: '网站', 1: '小程序', 2: 'App' } as const

export const reportReason = {
  1: '垃圾广告',
  2: '淫秽色情',
  3: '虚假中奖',
  4: '敏感信息',
  5: '人身攻击',
  6: '骚扰他人',
} as const

/** Of articles and comments. */
export const reviewStatus = { 0: '待审核', 1: '已通过', 2: '未通过' } as const
export type ReviewStatus = keyof typeof reviewStatus

export const contentType = { 0: '文档', 1: '文章' } as const
export type ContentType = keyof typeof contentType

/** What members do, in the words of their own list. The numbers between belong to what is not kept. */
export const dynamicType = {
  1: '发表了评论',
  2: '收藏了',
  3: '上传了文档',
  4: '下载了文档',
  6: '注册成为会员',
  11: '完成了每日签到',
  14: '删除了文档',
  15: '发布了文章',
  16: '举报了文档',
  17: '作品被收藏',
  18: '作品被评论',
  19: '文章通过了审核',
  20: '文章未通过审核',
  21: '收到了回复',
} as const
export type DynamicType = keyof typeof dynamicType
