import { group, number, password, text, textarea, toggle } from '../setting-fields.ts'

/** An empty text stands for the default one: see mail-templates.ts. */
const mailText = { help: '留空时使用默认的文案' }

export const email = group('邮件设置', {
  enable: toggle('启用邮件', false, { columns: 12 }),
  is_tls: toggle('使用 TLS', true, { columns: 12 }),
  host: text('SMTP 服务器', '', { columns: 12 }),
  port: number('端口', 465, { min: 1, max: 65_535, columns: 12 }),
  username: text('用户名', '', { columns: 12, help: '通常就是发件邮箱' }),
  password: password('密码', { columns: 12 }),
  from_name: text('发件人名称', '', { columns: 12, help: '留空时使用网站名称' }),
  enable_login: toggle('可以用邮箱验证码登录', true, { columns: 12, help: '只限验证过的邮箱' }),
  duration: number('重置链接有效期（分钟）', 30, { min: 1, max: 60, columns: 12 }),
  test_email: text('测试收件邮箱', '', { shape: 'email', help: '填写后，启用并保存时会发送一封测试邮件' }),
  enable_notification: toggle('把会员的通知也发到邮箱', true, {
    columns: 12,
    help: '每位会员可以按种类选择不发、立即发或每日汇总',
  }),
  digest_hour: number('每日汇总在几点发送', 8, { min: 0, max: 23, columns: 12 }),
})

export const mail_text = group('邮件文案', {
  register_code_subject: text('注册验证码邮件的主题', '', mailText),
  register_code_body: textarea('注册验证码邮件的正文', '', mailText),
  login_code_subject: text('登录验证码邮件的主题', '', mailText),
  login_code_body: textarea('登录验证码邮件的正文', '', mailText),
  reset_code_subject: text('找回密码验证码邮件的主题', '', mailText),
  reset_code_body: textarea('找回密码验证码邮件的正文', '', mailText),
  reset_link_subject: text('重置密码邮件的主题', '', mailText),
  reset_link_body: textarea('重置密码邮件的正文', '', mailText),
  report_answer_subject: text('举报处理结果邮件的主题', '', mailText),
  report_answer_body: textarea('举报处理结果邮件的正文', '', mailText),
  vip_reminder_subject: text('VIP 到期提醒邮件的主题', '', mailText),
  vip_reminder_body: textarea('VIP 到期提醒邮件的正文', '', mailText),
  bill_differences_subject: text('对账差异邮件的主题', '', mailText),
  bill_differences_body: textarea('对账差异邮件的正文', '', mailText),
  new_device_subject: text('新设备登录提醒邮件的主题', '', mailText),
  new_device_body: textarea('新设备登录提醒邮件的正文', '', mailText),
  notification_subject: text('通知邮件的主题', '', mailText),
  notification_body: textarea('通知邮件的正文', '', mailText),
  notification_digest_subject: text('每日汇总邮件的主题', '', mailText),
  notification_digest_body: textarea('每日汇总邮件的正文', '', mailText),
  export_ready_subject: text('数据导出完成邮件的主题', '', mailText),
  export_ready_body: textarea('数据导出完成邮件的正文', '', mailText),
  deletion_requested_subject: text('申请注销账号邮件的主题', '', mailText),
  deletion_requested_body: textarea('申请注销账号邮件的正文', '', mailText),
  deletion_cancelled_subject: text('取消注销账号邮件的主题', '', mailText),
  deletion_cancelled_body: textarea('取消注销账号邮件的正文', '', mailText),
  deletion_done_subject: text('账号已注销邮件的主题', '', mailText),
  deletion_done_body: textarea('账号已注销邮件的正文', '', mailText),
  test_subject: text('测试邮件的主题', '', mailText),
  test_body: textarea('测试邮件的正文', '', mailText),
  closing: textarea('每封邮件的结尾', '', mailText),
})
