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
