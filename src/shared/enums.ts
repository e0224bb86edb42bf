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
