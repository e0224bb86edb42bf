import type { Settings } from './settings.ts'

/** The mails that the site sends: what they are filled with, and what they say unless the owner has written another text. */

interface Placeholder {
  /** In the texts, in braces. */
  name: string
  /** For previews and test mails. */
  sample: string
  /** On a line of its own in HTML: large, one entry for each line, or a button with this label. */
  look?: 'large' | 'list' | { button: string }
  /** A mail without it would be of no use. */
  required?: true
}

interface Template {
  title: string
  /** When it is sent. */
  occasion: string
  placeholders: Record<string, Placeholder>
  /** Of the owner's texts, in `settings.mail_text`. */
  keys: { subject: TextKey; body: TextKey }
  /** Paragraphs are separated by empty lines. */
  texts: { subject: string; body: string }
}

type TextKey = keyof Settings['mail_text']
export type MailTexts = Settings['mail_text']

const code: Placeholder = { name: '验证码', sample: '482913', look: 'large', required: true }
const minutes = { name: '有效分钟', sample: '30' }
const ignore = '如果不是您本人操作，请忽略本邮件，您的账号不会有任何变化。'

export const mailTemplates = {
  'register-code': {
    title: '注册验证码',
    occasion: '注册时验证邮箱',
    placeholders: { code, minutes },
    keys: { subject: 'register_code_subject', body: 'register_code_body' },
    texts: {
      subject: '{网站名称} 注册验证码',
      body: `您正在注册{网站名称}，验证码是：

{验证码}

验证码 {有效分钟} 分钟内有效，请不要告诉他人。

${ignore}`,
    },
  },
  'login-code': {
    title: '登录验证码',
    occasion: '用邮箱验证码登录',
    placeholders: { code, minutes },
    keys: { subject: 'login_code_subject', body: 'login_code_body' },
    texts: {
      subject: '{网站名称} 登录验证码',
      body: `您正在登录{网站名称}，验证码是：

{验证码}

验证码 {有效分钟} 分钟内有效，请不要告诉他人：知道它的人可以进入您的账号。

${ignore}`,
    },
  },
  'reset-code': {
    title: '找回密码验证码',
    occasion: '用邮箱验证码找回密码',
    placeholders: { code, minutes },
    keys: { subject: 'reset_code_subject', body: 'reset_code_body' },
    texts: {
      subject: '{网站名称} 找回密码验证码',
      body: `您正在重新设置{网站名称}的密码，验证码是：

{验证码}

验证码 {有效分钟} 分钟内有效，请不要告诉他人：知道它的人可以进入您的账号。

${ignore}`,
    },
  },
  'reset-link': {
    title: '重置密码',
    occasion: '找回密码',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      link: {
        name: '重置链接',
        sample: 'https://wenku.example.com/findpassword?token=sample',
        look: { button: '重置密码' },
        required: true,
      },
      minutes,
    },
    keys: { subject: 'reset_link_subject', body: 'reset_link_body' },
    texts: {
      subject: '{网站名称} 重置密码',
      body: `{用户名}，您好！

请在 {有效分钟} 分钟内打开下面的链接，设置新的密码：

{重置链接}

${ignore}`,
    },
  },
  invitation: {
    title: '邀请',
    occasion: '邀请管理人员或会员',
    placeholders: {
      username: { name: '邀请人', sample: '张三' },
      link: {
        name: '邀请链接',
        sample: 'https://wenku.example.com/invite?token=sample',
        look: { button: '接受邀请' },
        required: true,
      },
      days: { name: '有效天数', sample: '7' },
    },
    keys: { subject: 'invitation_subject', body: 'invitation_body' },
    texts: {
      subject: '{邀请人} 邀请您加入 {网站名称}',
      body: `{邀请人} 邀请您加入 {网站名称}。请在 {有效天数} 天内打开下面的链接，自己起用户名、设密码：

{邀请链接}

链接只能用一次。如果您不认识邀请人，请忽略本邮件。`,
    },
  },
  'report-answer': {
    title: '举报处理结果',
    occasion: '管理人员答复举报',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      title: { name: '文档标题', sample: '年度工作总结' },
      outcome: { name: '处理结果', sample: '文档已停用' },
      answer: { name: '答复', sample: '感谢您的举报，文档已经停用。', required: true },
      // Empty where the site has no domain.
      link: { name: '举报链接', sample: 'https://wenku.example.com/me/report', look: { button: '查看我的举报' } },
    },
    keys: { subject: 'report_answer_subject', body: 'report_answer_body' },
    texts: {
      subject: '{网站名称} 举报处理结果',
      body: `{用户名}，您好！

您举报的文档“{文档标题}”已经处理：{处理结果}。

管理人员的答复：{答复}

{举报链接}`,
    },
  },
  'vip-reminder': {
    title: 'VIP 到期提醒',
    occasion: '会员的 VIP 快要到期',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      end: { name: '到期时间', sample: '2030-01-31 18:00', required: true },
      // Empty where the site has no domain.
      link: { name: '续费链接', sample: 'https://wenku.example.com/joinvip', look: { button: '续费 VIP' } },
    },
    keys: { subject: 'vip_reminder_subject', body: 'vip_reminder_body' },
    texts: {
      subject: '{网站名称} VIP 即将到期',
      body: `{用户名}，您好！

您的 VIP 将于 {到期时间} 到期。现在续费，新的时间从到期那一刻接着算，不会损失。

{续费链接}`,
    },
  },
  'bill-differences': {
    title: '对账差异',
    occasion: '支付平台的账单与网站的订单对不上，发给站长',
    placeholders: {
      count: { name: '差异数', sample: '2', required: true },
      // Empty where the site has no domain.
      link: {
        name: '查看链接',
        sample: 'https://wenku.example.com/admin/order/difference',
        look: { button: '查看差异' },
      },
    },
    keys: { subject: 'bill_differences_subject', body: 'bill_differences_body' },
    texts: {
      subject: '{网站名称} 对账发现 {差异数} 处差异',
      body: `支付平台的账单与网站的订单有 {差异数} 处对不上，请尽快核对。

{查看链接}`,
    },
  },
  'already-registered': {
    title: '邮箱已经注册',
    occasion: '有人用已有账号的邮箱注册',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      // Empty where the site has no domain.
      link: { name: '登录链接', sample: 'https://wenku.example.com/login', look: { button: '登录' } },
    },
    keys: { subject: 'already_registered_subject', body: 'already_registered_body' },
    texts: {
      subject: '{网站名称} 这个邮箱已经有账号',
      body: `{用户名}，您好！

有人想用这个邮箱在{网站名称}注册，而它已经是您的账号的邮箱，不需要再注册。忘记了密码，可以在登录页找回。

{登录链接}

${ignore}`,
    },
  },
  'account-started-afresh': {
    title: '账号重新开始',
    occasion: '邮箱第一次得到证实时，撤掉账号里原有的登录方式',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      list: { name: '撤掉的登录方式', sample: '通行密钥 2 个', look: 'list', required: true },
      // Empty where the site has no domain.
      link: { name: '查看链接', sample: 'https://wenku.example.com/me/security', look: { button: '账号安全' } },
    },
    keys: { subject: 'account_started_afresh_subject', body: 'account_started_afresh_body' },
    texts: {
      subject: '{网站名称} 您的账号已重新开始',
      body: `{用户名}，您好！

您用邮箱找回了密码，也第一次证实了这个邮箱属于您。在此之前设置的登录方式可能不是您的，已经全部撤掉，所有设备都已退出登录：

{撤掉的登录方式}

如果是您自己设置的，登录后可以重新添加。

{查看链接}`,
    },
  },
  'new-device': {
    title: '新设备登录提醒',
    occasion: '会员的账号在没有用过的设备或网络上登录',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      device: { name: '设备', sample: 'Chrome · Windows', required: true },
      place: { name: '地址', sample: '203.0.113.7' },
      time: { name: '登录时间', sample: '2030-01-31 18:00' },
      // Empty where the site has no domain.
      link: { name: '查看链接', sample: 'https://wenku.example.com/me/security', look: { button: '查看登录的设备' } },
    },
    keys: { subject: 'new_device_subject', body: 'new_device_body' },
    texts: {
      subject: '{网站名称} 新设备登录提醒',
      body: `{用户名}，您好！

您的账号刚刚在一台没有用过的设备或网络上登录：{设备}，{地址}，{登录时间}。

如果是您本人，不用理会。如果不是，请立即修改密码，并让那台设备退出登录。

{查看链接}`,
    },
  },
  notification: {
    title: '通知',
    occasion: '会员有新的通知，并选择了立即发邮件',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      first: { name: '第一条', sample: '您的文档《年度工作总结》已通过审核' },
      list: { name: '通知', sample: '您的文档《年度工作总结》已通过审核', look: 'list', required: true },
      // Empty where the site has no domain.
      link: { name: '查看链接', sample: 'https://wenku.example.com/me/notification', look: { button: '查看通知' } },
    },
    keys: { subject: 'notification_subject', body: 'notification_body' },
    texts: {
      subject: '{网站名称}：{第一条}',
      body: `{用户名}，您好！

{通知}

{查看链接}`,
    },
  },
  'notification-digest': {
    title: '每日汇总',
    occasion: '会员有未读的通知，并选择了每日汇总',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      count: { name: '通知数', sample: '2' },
      list: {
        name: '通知',
        sample: '李四 评论了您的文档《年度工作总结》\n您的文档《年度工作总结》售出 2 份',
        look: 'list',
        required: true,
      },
      // Empty where the site has no domain.
      link: { name: '查看链接', sample: 'https://wenku.example.com/me/notification', look: { button: '查看通知' } },
    },
    keys: { subject: 'notification_digest_subject', body: 'notification_digest_body' },
    texts: {
      subject: '{网站名称}：您有 {通知数} 条未读通知',
      body: `{用户名}，您好！您有 {通知数} 条未读通知：

{通知}

{查看链接}`,
    },
  },
  'export-ready': {
    title: '数据导出完成',
    occasion: '会员的数据导出已经准备好',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      end: { name: '截止时间', sample: '2030-01-31 18:00', required: true },
      // Empty where the site has no domain.
      link: { name: '下载页面', sample: 'https://wenku.example.com/me/security', look: { button: '前往下载' } },
    },
    keys: { subject: 'export_ready_subject', body: 'export_ready_body' },
    texts: {
      subject: '{网站名称} 您的数据已经导出',
      body: `{用户名}，您好！

您的数据已经打包好。请在 {截止时间} 之前登录网站，在“账号安全”里下载，过期会自动删除。

{下载页面}

如果不是您本人操作，请尽快修改密码。`,
    },
  },
  'deletion-requested': {
    title: '申请注销账号',
    occasion: '会员申请注销账号',
    placeholders: {
      username: { name: '用户名', sample: '张三' },
      end: { name: '注销时间', sample: '2030-01-31 18:00', required: true },
      // Empty where the site has no domain.
      link: { name: '登录链接', sample: 'https://wenku.example.com/login', look: { button: '登录并取消注销' } },
    },
    keys: { subject: 'deletion_requested_subject', body: 'deletion_requested_body' },
    texts: {
      subject: '{网站名称} 您申请了注销账号',
      body: `{用户名}，您好！

您申请注销账号，它将在 {注销时间} 之后删除，删除后无法恢复。

如果改变主意，或者不是您本人操作，请在此之前登录，登录后注销会自动取消；不是本人操作时，请同时修改密码。

{登录链接}`,
    },
  },
  'deletion-cancelled': {
    title: '取消注销账号',
    occasion: '会员取消注销账号',
    placeholders: { username: { name: '用户名', sample: '张三' } },
    keys: { subject: 'deletion_cancelled_subject', body: 'deletion_cancelled_body' },
    texts: {
      subject: '{网站名称} 账号注销已取消',
      body: `{用户名}，您好！

您的账号注销已经取消，账号和内容都没有变化。`,
    },
  },
  'deletion-done': {
    title: '账号已注销',
    occasion: '会员的账号已经删除',
    placeholders: { username: { name: '用户名', sample: '张三' } },
    keys: { subject: 'deletion_done_subject', body: 'deletion_done_body' },
    texts: {
      subject: '{网站名称} 账号已注销',
      body: `{用户名}，您好！

您的账号已经注销，个人资料已经删除。感谢您的使用。`,
    },
  },
  test: {
    title: '测试邮件',
    occasion: '在邮件设置里发送测试邮件',
    placeholders: {},
    keys: { subject: 'test_subject', body: 'test_body' },
    texts: {
      subject: '{网站名称} 的测试邮件',
      body: '收到这封邮件，说明 {网站名称} 的邮件设置可以正常使用。',
    },
  },
} satisfies Record<string, Template>

export type MailTemplate = keyof typeof mailTemplates
export const mailTemplateNames = Object.keys(mailTemplates) as [MailTemplate, ...MailTemplate[]]

/** What each mail is filled with. */
export type TemplateParams = {
  [T in MailTemplate]: { [K in keyof (typeof mailTemplates)[T]['placeholders']]: string | number }
}

const closing = { key: 'closing', text: '这封邮件由{网站名称}自动发出，请不要直接回复。' } as const

export const mailTextKeys: readonly TextKey[] = [
  ...Object.values<Template>(mailTemplates).flatMap(({ keys }) => [keys.subject, keys.body]),
  closing.key,
]

/** The texts in force: those of the owner, else the default ones. */
export function textsOf(name: MailTemplate, texts: Partial<MailTexts>): Template['texts'] & { closing: string } {
  const { keys, texts: defaults }: Template = mailTemplates[name]
  return {
    subject: texts[keys.subject] || defaults.subject,
    body: texts[keys.body] || defaults.body,
    closing: texts[closing.key] || closing.text,
  }
}

export function defaultText(key: string): string {
  const [template, part] = findText(key) ?? []
  return template && part ? template.texts[part] : closing.text
}

/** In every mail beside its own. */
const sitename: Placeholder = { name: '网站名称', sample: '' }

export function placeholdersOf(name: MailTemplate): Record<string, Placeholder> {
  return { sitename, ...mailTemplates[name].placeholders }
}

export function sampleParams<T extends MailTemplate>(name: T): TemplateParams[T] {
  const samples = Object.entries<Placeholder>(mailTemplates[name].placeholders).map(([key, { sample }]) => [
    key,
    sample,
  ])
  return Object.fromEntries(samples)
}

const maxLength = { subject: 200, body: 5000, closing: 500 }

/** What is wrong with the text of a setting in `mail_text`. An empty one stands for the default text. */
export function findTextProblem(key: string, text: string): string | undefined {
  if (text.trim() === '') return undefined
  const [template, part = 'closing'] = findText(key) ?? []
  const placeholders = Object.values<Placeholder>({ sitename, ...template?.placeholders })
  const used = splitText(text).flatMap((item) => (typeof item === 'string' ? [] : [item.name]))
  const unknown = used.find((name) => placeholders.every((placeholder) => placeholder.name !== name))
  if (unknown !== undefined) {
    const names = placeholders.map(({ name }) => `{${name}}`).join('、')
    return `没有 {${unknown}} 这个占位符，可以使用 ${names}`
  }
  const missing = placeholders.find(({ name, required }) => part === 'body' && required && !used.includes(name))
  if (missing) return `正文里要有 {${missing.name}}，否则收件人无法继续`
  return text.length > maxLength[part] ? `最多 ${maxLength[part]} 个字` : undefined
}

/** Plain text, and placeholders by their names. Chinese keyboards write the braces wide. */
export function splitText(text: string): (string | { name: string; source: string })[] {
  return text
    .split(/([{｛][^{}｛｝\n]*[}｝])/)
    .map((item, index) => (index % 2 === 0 ? item : { name: item.slice(1, -1).trim(), source: item }))
    .filter((item) => item !== '')
}

function findText(key: string): [Template, keyof Template['keys']] | undefined {
  for (const template of Object.values<Template>(mailTemplates)) {
    if (template.keys.subject === key) return [template, 'subject']
    if (template.keys.body === key) return [template, 'body']
  }
  return undefined
}
