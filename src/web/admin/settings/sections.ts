import type { catalogue, GroupName } from '#shared/settings.ts'

type FieldName<G extends GroupName> = keyof (typeof catalogue)[G]['fields'] & string

/**
 * The settings at which a section of a screen begins, with its title; the following ones belong to it. Not in the catalogue,
 * which every visitor loads.
 */
const sectionStarts: { [G in GroupName]?: { [K in FieldName<G>]?: string } } = {
  system: {
    sitename: '网站信息',
    logo: '标志和外观',
    copyright_start_year: '备案和版权',
    analytics: '统计和署名',
    enable_watermark: '水印',
  },
  display: {
    palette: '外观',
    home_version: '首页',
    show_document_view_count: '文档',
    hide_keywords_on_lists: '列表',
    pages_per_read: '阅读和搜索',
    copyright_statement: '页脚和联系方式',
  },
  security: {
    is_close: '开放访问',
    enable_register: '注册',
    enable_captcha_login: '登录和验证码',
    max_document_size: '上传和发布',
    comment_interval: '评论和相关文档',
    attachment_retention_minute: '保留时间',
  },
  email: { enable: '发件服务器', from_name: '发件人和链接', enable_notification: '会员的通知' },
  mail_text: {
    register_code_subject: '注册验证码',
    login_code_subject: '登录验证码',
    reset_code_subject: '找回密码验证码',
    reset_link_subject: '重置密码',
    invitation_subject: '邀请',
    report_answer_subject: '举报处理结果',
    vip_reminder_subject: 'VIP 到期提醒',
    bill_differences_subject: '对账差异',
    notification_subject: '通知',
    notification_digest_subject: '每日汇总',
    export_ready_subject: '数据导出完成',
    deletion_requested_subject: '申请注销账号',
    deletion_cancelled_subject: '取消注销账号',
    deletion_done_subject: '账号已注销',
    already_registered_subject: '邮箱已经注册',
    account_started_afresh_subject: '账号重新开始',
    new_device_subject: '新设备登录提醒',
    test_subject: '测试邮件',
    closing: '结尾',
  },
  sms: {
    enable: '服务商',
    template_register: '模板',
    duration: '有效期和上限',
    http_method: '自定义 HTTP 接口（浩信）',
  },
  spider: { enable: '采集', concurrency: '访问间隔和上限', user_agent: '身份和访问范围', log_days: '日志' },
  score: { credit_name: '名称和日常奖励', upload_document: '文档奖励' },
  vip: {
    enable: 'VIP 会员',
    year_price: '年卡',
    quarter_price: '季卡',
    month_price: '月卡',
    mark_charged: '文档和提醒',
  },
  oauth: {
    enable_wechat: '微信',
    enable_qq: 'QQ',
    enable_weibo: '微博',
    enable_github: 'GitHub',
    enable_gitee: 'Gitee',
    enable_google: 'Google',
    enable_oidc: 'OpenID Connect',
  },
  miniprogram: { app_id: '小程序', enable_login: '登录', mp_logo: '图片' },
  pay: {
    order_minutes: '订单和充值',
    author_percent: '作者所得',
    grant_ceiling: '管理人员每天的限额',
    enable_wechat: '微信支付',
    enable_alipay: '支付宝',
    enable_third: '第三方支付',
    enable_bank_card: '线下付款',
    enable_advertisement: '看广告的奖励',
    test_mode: '试运行',
  },
  download: { enable_guest_download: '下载条件', times_every_day: '每日次数', url_duration: '下载链接' },
  converter: { max_preview_free: '预览', timeout: '转换', page_cache_mb: '缓存' },
}

/** For a few owners only: in a folded section at the end. */
const advanced: { [G in GroupName]?: readonly FieldName<G>[] } = {
  pay: ['wechat_gateway', 'wechat_api_gateway', 'wechat_open_gateway', 'alipay_gateway'],
  sms: ['endpoint', 'region'],
  oauth: [
    'wechat_gateway',
    'wechat_api_gateway',
    'qq_gateway',
    'weibo_gateway',
    'github_gateway',
    'github_api_gateway',
    'gitee_gateway',
    'google_gateway',
  ],
  miniprogram: ['scan_page', 'document_page', 'gateway'],
}

/** The switches that settings belong to, by how their names begin: without one of them they do nothing. */
const switches: { [G in GroupName]?: readonly [beginning: string, switches: readonly FieldName<G>[]][] } = {
  pay: [
    ['wechat_', ['enable_wechat', 'enable_mp_wechat']],
    ['alipay_', ['enable_alipay']],
    ['third_', ['enable_third']],
    ['bank_card_', ['enable_bank_card']],
    ['cash_', ['enable_cash']],
    ['other_', ['enable_other']],
    ['advertisement_', ['enable_advertisement']],
    ['trial_', ['test_mode']],
  ],
}

/** None for a setting that is always in force. */
export function switchesOf(group: string, name: string): readonly string[] {
  const known = findOf<readonly [string, readonly string[]][]>(switches, group) ?? []
  return known.find(([beginning]) => name.startsWith(beginning))?.[1] ?? []
}

export interface Section {
  /** Absent where a screen has no sections. */
  title?: string
  isFolded?: true
  names: string[]
}

export function toSections(group: string, names: readonly string[]): Section[] {
  const starts = findOf<Record<string, string | undefined>>(sectionStarts, group) ?? {}
  const last: readonly string[] = findOf<readonly string[]>(advanced, group) ?? []
  const sections: Section[] = []
  for (const name of names.filter((candidate) => !last.includes(candidate))) {
    const title = starts[name]
    const current = sections.at(-1)
    if (current && title === undefined) current.names.push(name)
    else sections.push({ ...(title !== undefined && { title }), names: [name] })
  }
  const folded = names.filter((name) => last.includes(name))
  return folded.length > 0 ? [...sections, { title: '高级', isFolded: true, names: folded }] : sections
}

function findOf<T>(groups: Record<string, T | undefined>, group: string): T | undefined {
  return Object.hasOwn(groups, group) ? groups[group] : undefined
}
