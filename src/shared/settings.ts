import { documentExts } from './document-kinds.ts'
import {
  choice,
  choices,
  type Field,
  group,
  image,
  list,
  number,
  password,
  text,
  textarea,
  toggle,
} from './setting-fields.ts'

import { findParamProblem } from './sms-params.ts'
import { findAmountProblem, findBonusProblem } from './top-up-bonus.ts'

/**
 * Every setting that a site owner can change: its group, its label and its default.
 * The typed `Settings` object, the admin screens, `GET /settings` and the CLI are derived from this.
 */

const system = group('系统设置', {
  sitename: text('网站名称', '文豆', { columns: 12 }),
  domain: text('网站域名', '', {
    columns: 12,
    shape: 'origin',
    help: '如 https://wenku.example.com，用于邮件中的链接和站点地图。注意：通行密钥只对登记时的域名有效，换了域名，会员要重新添加',
  }),
  title: text('首页标题', '文豆 · 文库'),
  keywords: text('关键字', '文豆,文库,文档,资料,下载'),
  description: textarea('网站描述', '上传、阅读、搜索和下载文档，分享知识。'),
  recommend_words: list('热门搜索词', [], { help: '显示在首页搜索框下方' }),
  logo: image('网站标志', { columns: 12 }),
  favicon: image('网站图标', { columns: 12 }),
  login_background: image('登录页背景', { columns: 12 }),
  register_background: image('注册页背景', { columns: 12 }),
  theme_color: text('主题色', '#1f6f5c', {
    columns: 12,
    shape: 'color',
    help: '十六进制颜色，如 #1f6f5c',
  }),
  copyright_start_year: text('版权起始年份', '', { columns: 12, shape: 'year' }),
  icp: text('ICP 备案号', '', { columns: 12 }),
  sec_icp: text('公安备案号', '', { columns: 12 }),
  analytics: textarea('统计代码', '', { help: '统计服务商给出的脚本' }),
  enable_powered_by: toggle('显示系统名称和版本', true, { columns: 12 }),
  enable_watermark: toggle('文档页面加水印', false, { columns: 12 }),
  watermark: text('水印文字', '', { help: '留空时使用网站名称' }),
})

const display = group('显示设置', {
  home_version: choice('首页样式', 'v1', { v1: '经典', v2: '杂志' }, { columns: 12 }),
  index_document_style: choice('首页文档样式', 'card', { card: '卡片', list: '封面列表' }, { columns: 12 }),
  show_index_categories: toggle('首页显示分类', true, { columns: 12 }),
  show_register_user_count: toggle('显示注册用户数', true, { columns: 12 }),
  virtual_register_count: number('虚拟注册用户数', 0, { min: 0, columns: 12, help: '加在真实注册用户数之上' }),
  show_document_count: toggle('显示文档总数', true, { columns: 12 }),
  show_document_view_count: toggle('显示浏览次数', true, { columns: 12 }),
  show_document_download_count: toggle('显示下载次数', true, { columns: 12 }),
  show_document_favorite_count: toggle('显示收藏次数', true, { columns: 12 }),
  show_document_descriptions: toggle('显示文档说明', true, { columns: 12 }),
  hide_keywords_on_lists: toggle('列表页隐藏关键字', false, { columns: 12 }),
  hide_category_without_document: toggle('隐藏没有文档的分类', false, { columns: 12 }),
  pages_per_read: number('每次继续阅读的页数', 0, {
    min: 0,
    max: 100,
    columns: 12,
    help: '0 表示不分段：页面随滚动连续显示，没有“继续阅读”按钮',
  }),
  max_search_pages: number('搜索结果最多页数', 100, { min: 0, columns: 12, help: '0 表示不限' }),
  copyright_statement: textarea('版权声明', '文档由网友上传，版权归原作者所有。如有侵权，请联系我们删除。', {
    help: '显示在页脚，可用 HTML',
  }),
  wechat_qrcode: image('公众号二维码', { columns: 12 }),
  wechat_tip: text('二维码说明', '扫码关注公众号', { columns: 12 }),
  contact_link: text('联系我们链接', '', { columns: 12, shape: 'link' }),
  contact_tip: text('联系我们说明', '联系我们', { columns: 12 }),
})

const footer = group('底部链接', {
  about: text('关于我们', '/article/about', { shape: 'link', help: '留空则不显示' }),
  contact: text('联系我们', '/article/contact', { shape: 'link' }),
  agreement: text('用户协议', '/article/agreement', { shape: 'link' }),
  copyright: text('免责声明', '/article/copyright', { shape: 'link' }),
  feedback: text('意见反馈', '/article/feedback', { shape: 'link' }),
  donate: text('捐助', '', { shape: 'link' }),
})

const security = group('安全设置', {
  is_close: toggle('关闭网站', false, { columns: 12, help: '只有管理人员可以访问' }),
  login_required: toggle('登录后才能访问', false, { columns: 12 }),
  close_statement: textarea('闭站说明', '网站维护中，请稍后再来。', { help: '显示在登录页，可用 HTML' }),
  enable_register: toggle('开放注册', true, { columns: 12 }),
  enable_verify_register_email: toggle('注册时验证邮箱', false, { columns: 12 }),
  enable_captcha_login: toggle('登录需要验证码', true, { columns: 12 }),
  captcha_after_failures: number('登录失败几次后才需要验证码', 3, {
    min: 0,
    max: 50,
    columns: 12,
    help: '同一账号或同一网络在 30 分钟内的失败次数；0 表示每次登录都需要',
  }),
  enable_captcha_register: toggle('注册需要验证码', true, { columns: 12 }),
  enable_captcha_find_password: toggle('找回密码需要验证码', true, { columns: 12 }),
  enable_captcha_comment: toggle('评论需要验证码', true, { columns: 12 }),
  enable_captcha_code: toggle('发送短信和邮件验证码前需要验证码', true, { columns: 12 }),
  session_days: number('登录有效天数', 30, {
    min: 1,
    max: 365,
    columns: 12,
    help: '登录之后满这么多天，需要重新登录；改小后对已登录的设备立即生效',
  }),
  session_idle_days: number('不使用多少天后退出登录', 0, { min: 0, max: 365, columns: 12, help: '0 表示不限' }),
  staff_second_factor: toggle('要求管理人员开启两步验证', false, {
    columns: 12,
    help: '宽限期过后，没有开启的管理人员只能进入“账号安全”，开启之后恢复',
  }),
  staff_second_factor_days: number('开启两步验证的宽限天数', 7, {
    min: 0,
    max: 90,
    columns: 12,
    help: '从管理人员第一次看到这项要求时算起；0 表示立即',
  }),
  max_document_size: number('文档最大体积（MB）', 50, { min: 1, max: 10_240, columns: 12 }),
  max_article_size: number('会员文章最大体积（KB）', 200, {
    min: 10,
    max: 1000,
    columns: 12,
    help: '管理文章的人员不受限制',
  }),
  upload_count_every_day: number('每人每日上传数量', 500, { min: 0, columns: 12, help: '0 表示不限' }),
  upload_size_every_day: number('每人每日上传体积（MB）', 0, { min: 0, columns: 12, help: '0 表示不限' }),
  document_allowed_ext: choices('允许上传的扩展名', Object.fromEntries(documentExts.map((ext) => [ext, ext])), {
    help: '如 .pdf，留空表示全部支持的格式',
  }),
  comment_interval: number('评论间隔（秒）', 10, { min: 0, columns: 12, help: '0 表示不限' }),
  document_related_duration: number('相关文档更新间隔（天）', 7, { min: 0, columns: 12, help: '0 表示不显示相关文档' }),
  attachment_retention_minute: number('附件删除延迟（分钟）', 1440, { min: 0, columns: 12 }),
  search_record_retention_days: number('搜索记录保留天数', 7, { min: 0, columns: 12, help: '0 表示不记录' }),
  delete_days: number('注销账号的等待天数', 7, {
    min: 0,
    max: 60,
    columns: 12,
    help: '会员申请注销后，过这么多天才会删除，这期间登录即可取消；0 表示不等待',
  }),
  audit_retention_days: number('操作日志保留天数', 365, { min: 1, columns: 12 }),
  notification_retention_days: number('站内通知保留天数', 180, { min: 7, max: 3650, columns: 12 }),
})

const captcha = group('验证码设置', {
  type: choice('类型', 'digit', { digit: '数字', string: '字母和数字', math: '算式', audio: '语音' }, { columns: 12 }),
  length: number('长度', 5, { min: 4, max: 8, columns: 12 }),
  width: number('宽度', 240, { min: 120, max: 400, columns: 12 }),
  height: number('高度', 60, { min: 40, max: 120, columns: 12 }),
})

const email = group('邮件设置', {
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

/** An empty text stands for the default one: see mail-templates.ts. */
const mailText = { help: '留空时使用默认的文案' }

const mail_text = group('邮件文案', {
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

const sms = group('短信设置', {
  enable: toggle('启用短信', false, { columns: 12, help: '启用后可以用手机号注册、登录和找回密码' }),
  provider: choice(
    '服务商',
    'aliyun',
    { aliyun: '阿里云', tencent: '腾讯云', baidu: '百度智能云', huawei: '华为云', haomas: '浩信（自定义 HTTP 接口）' },
    { columns: 12 },
  ),
  access_key: text('访问密钥 ID', '', { columns: 12, help: '华为云是 APP_Key；自定义接口里是 {account}' }),
  access_secret: password('访问密钥', { columns: 12, help: '华为云是 APP_Secret；自定义接口里是 {secret}' }),
  app_id: text('应用 ID', '', { columns: 12, help: '腾讯云的 SmsSdkAppId' }),
  from: text('通道号', '', { columns: 12, help: '华为云的签名通道号' }),
  sign_name: text('短信签名', '', { columns: 12, help: '百度智能云填签名 ID，如 sms-sign-…' }),
  template_register: text('注册模板', '', { columns: 12 }),
  template_login: text('登录模板', '', { columns: 12 }),
  template_find_password: text('找回密码模板', '', { columns: 12 }),
  template_bind: text('绑定手机号模板', '', { columns: 12, help: '留空时使用登录模板' }),
  template_params: list('模板变量', ['code'], {
    columns: 12,
    help: 'code 是验证码，minutes 是有效分钟，按模板里的顺序用逗号分开；变量名不同时写成 变量名=code',
    findProblem: findParamProblem,
  }),
  duration: number('验证码有效期（分钟）', 10, { min: 1, max: 60, columns: 12 }),
  times_every_day: number('每个号码每日上限', 10, { min: 1, columns: 12 }),
  times_every_address: number('每个网络地址每日上限', 20, {
    min: 1,
    columns: 12,
    help: '学校、公司的很多人可能共用一个地址',
  }),
  times_whole_site: number('全站每日上限', 1000, { min: 1, columns: 12, help: '达到后当天不再发送，以免被人恶意消耗' }),
  price: number('每条短信的价格（厘）', 45, { min: 0, columns: 12, help: '1 元是 1000 厘；只用来估算费用' }),
  http_method: choice('请求方式', 'POST', { POST: 'POST', GET: 'GET' }, { columns: 8 }),
  http_content_type: choice(
    '内容类型',
    'json',
    { json: 'JSON', form: '表单', text: '纯文本' },
    { columns: 8, help: '占位符的值按它转义' },
  ),
  http_success_status: number('成功时的 HTTP 状态', 200, { min: 100, max: 599, columns: 8 }),
  http_body: textarea('请求内容', '', {
    help: '可用 {mobile} {code} {minutes} {template} {sign} {account} {secret} {timestamp} {md5:…} {hmacsha256:…}',
  }),
  http_success_pointer: text('成功标志的位置', '', { columns: 8, help: 'JSON 指针，如 /data/code；留空则不检查' }),
  http_success_value: text('成功标志的值', '', { columns: 8 }),
  http_success_pattern: text('成功时内容应匹配', '', { columns: 8, help: '正则表达式；留空则不检查' }),
  http_allow_private: toggle('允许内网地址', false, { columns: 12, help: '短信网关在自己的内网时才打开' }),
  endpoint: text('接口地址', '', {
    shape: 'link',
    help: '华为云是控制台里的 APP 接入地址；自定义接口必填；其他服务商留空时使用官方地址',
  }),
  region: text('地域', 'ap-guangzhou', { columns: 12, help: '腾讯云的地域' }),
})

/** Where a known provider is asked, unless at its own address. */
const gateway = { shape: 'link', help: '留空时使用官方地址' } as const

const oauth = group('第三方登录', {
  enable_wechat: toggle('微信扫码登录', false, { columns: 8, help: '微信开放平台的网站应用' }),
  wechat_app_id: text('微信网站应用 AppID', '', { columns: 8 }),
  wechat_secret: password('微信网站应用 AppSecret', { columns: 8 }),
  enable_wechatoa: toggle('微信内登录', false, { columns: 8, help: '在微信里打开网站时使用，需要服务号' }),
  wechatoa_app_id: text('服务号 AppID', '', { columns: 8 }),
  wechatoa_secret: password('服务号 AppSecret', { columns: 8 }),
  enable_qq: toggle('QQ 登录', false, { columns: 8 }),
  qq_app_id: text('QQ AppID', '', { columns: 8 }),
  qq_secret: password('QQ AppKey', { columns: 8 }),
  enable_weibo: toggle('微博登录', false, { columns: 8 }),
  weibo_app_id: text('微博 App Key', '', { columns: 8 }),
  weibo_secret: password('微博 App Secret', { columns: 8 }),
  enable_github: toggle('GitHub 登录', false, { columns: 8 }),
  github_client_id: text('GitHub Client ID', '', { columns: 8 }),
  github_secret: password('GitHub Client Secret', { columns: 8 }),
  enable_gitee: toggle('Gitee 登录', false, { columns: 8 }),
  gitee_client_id: text('Gitee Client ID', '', { columns: 8 }),
  gitee_secret: password('Gitee Client Secret', { columns: 8 }),
  enable_google: toggle('Google 登录', false, { columns: 8, help: '服务器和访客都要能访问 Google' }),
  google_client_id: text('Google Client ID', '', { columns: 8 }),
  google_secret: password('Google Client Secret', { columns: 8 }),
  enable_oidc: toggle('OpenID Connect 登录', false, { columns: 8, help: 'Keycloak、Authentik、企业统一认证等' }),
  oidc_client_id: text('OIDC Client ID', '', { columns: 8 }),
  oidc_secret: password('OIDC Client Secret', { columns: 8 }),
  oidc_issuer: text('OIDC Issuer', '', { shape: 'link', help: '如 https://id.example.com/realms/company' }),
  oidc_title: text('OIDC 按钮的文字', '', { columns: 8, help: '留空时为“统一登录”' }),
  oidc_icon: image('OIDC 按钮的图标', { columns: 8 }),
  oidc_scopes: text('OIDC Scopes', 'profile email', { columns: 8 }),
  oidc_allow_private: toggle('OIDC Issuer 可以是内网地址', false, { help: '也可以是 http 开头的地址' }),
  wechat_gateway: text('微信网页授权地址', '', gateway),
  wechat_api_gateway: text('微信接口地址', '', gateway),
  qq_gateway: text('QQ 接口地址', '', gateway),
  weibo_gateway: text('微博接口地址', '', gateway),
  github_gateway: text('GitHub 地址', '', gateway),
  github_api_gateway: text('GitHub 接口地址', '', gateway),
  gitee_gateway: text('Gitee 地址', '', gateway),
  google_gateway: text('Google Issuer', '', gateway),
})

const score = group('积分设置', {
  credit_name: text('积分名称', '豆子', { columns: 12 }),
  credit_exchange: number('一元相当于多少积分', 10, { min: 1, max: 100_000, columns: 12 }),
  show_exchange: toggle('价格旁显示折合多少元', false, { columns: 12 }),
  register: number('注册奖励', 10, { min: 0, columns: 12 }),
  sign_in: number('签到奖励', 1, { min: 0, columns: 12 }),
  upload_document: number('上传文档奖励', 5, { min: 0, columns: 12 }),
  upload_document_limit: number('每日上传奖励次数', 1, { min: 0, columns: 12, help: '0 表示不奖励' }),
  delete_document: number('删除文档扣除', 1, { min: 0, columns: 12 }),
  document_collected: number('文档被收藏奖励', 1, { min: 0, columns: 12 }),
  document_collected_limit: number('每日被收藏奖励次数', 1, { min: 0, columns: 12 }),
  document_commented: number('文档被评论奖励', 1, { min: 0, columns: 12 }),
  document_commented_limit: number('每日被评论奖励次数', 1, { min: 0, columns: 12 }),
})

/** The same settings for each of the three cards. */
function vipCard<N extends string>(name: N, label: string, price: number) {
  const fields = {
    [`${name}_price`]: number(`${label}价格（分）`, price, { min: 0, columns: 8, help: '1 元是 100 分；0 表示不出售' }),
    [`${name}_original_price`]: number(`${label}原价（分）`, 0, { min: 0, columns: 8, help: '划去显示；0 表示不显示' }),
    [`${name}_download`]: number(`${label}可免费下载的 VIP 文档数`, 0, { min: 0, columns: 8, help: '0 表示不限' }),
    [`${name}_times_every_day`]: number(`${label}每日下载次数`, 50, { min: 0, columns: 12, help: '0 表示不限' }),
    [`${name}_document_discount`]: number(`${label}购买其他文档的折扣（%）`, 80, {
      min: 0,
      max: 100,
      columns: 12,
      help: '80 即 8 折，100 表示不打折，0 表示免费',
    }),
  }
  return fields as Record<`${N}_${VipCardField}`, Field<number>>
}

type VipCardField = 'price' | 'original_price' | 'download' | 'times_every_day' | 'document_discount'

const vip = group('VIP 设置', {
  enable: toggle('启用 VIP', false, { columns: 12 }),
  icon: image('VIP 图标', { columns: 12 }),
  ...vipCard('year', '年卡', 19_900),
  ...vipCard('quarter', '季卡', 6900),
  ...vipCard('month', '月卡', 2900),
  mark_charged: toggle('新发布的付费文档自动成为 VIP 文档', false, {
    columns: 12,
    help: '已有的文档在文档管理里批量标记',
  }),
  remind_days: number('到期前几天提醒', 3, { min: 0, max: 30, columns: 12, help: '0 表示不提醒' }),
})

const pay = group('支付设置', {
  order_minutes: number('订单有效期（分钟）', 30, { min: 5, max: 1440, columns: 12 }),
  topup_amounts: list('可选的充值数量', ['50', '100', '500', '1000'], {
    help: '积分，用逗号分开',
    findProblem: findAmountProblem,
  }),
  topup_bonus: list('充值赠送', [], {
    help: '如 500+50 表示一次充值满 500 积分另送 50，用逗号分开',
    findProblem: findBonusProblem,
  }),
  author_percent: number('作者分成（%）', 100, { min: 0, max: 100, columns: 12, help: '售出文档后作者得到的百分比' }),
  author_fee: number('每笔手续费（积分）', 0, { min: 0, columns: 12, help: '从作者所得中扣除' }),

  enable_wechat: toggle('微信支付', false, { columns: 12 }),
  enable_mp_wechat: toggle('小程序内微信支付', false, { columns: 12 }),
  wechat_app_id: text('微信 AppID', '', { columns: 12, help: '服务号的 AppID，已绑定商户号' }),
  wechat_app_secret: password('微信 AppSecret', {
    columns: 12,
    help: '服务号的，用于在微信里直接付款；不填则出示二维码',
  }),
  wechat_mch_id: text('微信商户号', '', { columns: 12 }),
  wechat_serial: text('商户 API 证书序列号', '', { columns: 12, help: '40 位十六进制数' }),
  wechat_api_key: password('APIv3 密钥', { columns: 12, help: '32 个字符' }),
  wechat_private_key: password('商户 API 私钥', { help: 'apiclient_key.pem 的全部内容' }),
  wechat_mode: choice(
    '验签方式',
    'public_key',
    { public_key: '微信支付公钥', certificate: '平台证书', both: '两者都用（迁移期间）' },
    { columns: 12 },
  ),
  wechat_public_key_id: text('微信支付公钥 ID', '', { columns: 12, help: '以 PUB_KEY_ID_ 开头' }),
  wechat_public_key: textarea('微信支付公钥', '', { help: 'pub_key.pem 的全部内容' }),
  wechat_gateway: text('微信支付接口地址', '', gateway),
  wechat_api_gateway: text('微信公众平台接口地址', '', gateway),
  wechat_open_gateway: text('微信网页授权地址', '', gateway),

  enable_alipay: toggle('支付宝', false, { columns: 12 }),
  alipay_sandbox: toggle('支付宝沙箱', false, { columns: 12, help: '只用于试验' }),
  alipay_app_id: text('支付宝应用 ID', '', { columns: 12 }),
  alipay_seller_id: text('支付宝商户 PID', '', { columns: 12, help: '以 2088 开头的 16 位数字' }),
  alipay_private_key: password('应用私钥', { help: 'PKCS#8 或 PKCS#1 都可以' }),
  alipay_mode: choice('加签方式', 'key', { key: '公钥', certificate: '公钥证书' }, { columns: 12 }),
  alipay_face_to_face: toggle('电脑上用当面付二维码', false, {
    columns: 12,
    help: '需要签约当面付；否则跳转到支付宝付款',
  }),
  alipay_public_key: textarea('支付宝公钥', '', { help: '不是应用公钥' }),
  alipay_app_certificate: textarea('应用公钥证书', '', { help: 'appCertPublicKey.crt 的全部内容' }),
  alipay_certificate: textarea('支付宝公钥证书', '', { help: 'alipayCertPublicKey_RSA2.crt 的全部内容' }),
  alipay_root_certificate: textarea('支付宝根证书', '', { help: 'alipayRootCert.crt 的全部内容' }),
  alipay_gateway: text('支付宝接口地址', '', gateway),

  enable_third: toggle('第三方支付', false, { columns: 12 }),
  third_dialect: choice(
    '第三方支付的接口',
    'epay',
    { epay: '易支付（MD5）', epay_v2: '易支付 V2（RSA）', xunhupay: '虎皮椒' },
    { columns: 12 },
  ),
  third_merchant_id: text('商户 ID', '', { columns: 12, help: '易支付的 pid，或虎皮椒的 appid' }),
  third_key: password('商户密钥', { columns: 12, help: '易支付的 key，或虎皮椒的 appsecret' }),
  third_private_key: password('商户私钥', { help: '只有易支付 V2 需要' }),
  third_public_key: textarea('平台公钥', '', { help: '只有易支付 V2 需要' }),
  third_channel: choice(
    '支付渠道',
    '',
    { '': '由对方的收银台决定', alipay: '支付宝', wxpay: '微信', qqpay: 'QQ 钱包', bank: '网银' },
    { columns: 12 },
  ),
  third_gateway: text('第三方支付接口地址', '', { shape: 'link', help: '易支付必填；虎皮椒留空时使用官方地址' }),

  enable_bank_card: toggle('银行卡转账', false, { columns: 12 }),
  bank_card_text: textarea('银行卡转账说明', '', { help: '户名、开户行和账号，买家付款前看到' }),
  enable_cash: toggle('现金', false, { columns: 12 }),
  cash_text: textarea('现金付款说明', ''),
  enable_other: toggle('其他方式', false, { columns: 12 }),
  other_text: textarea('其他方式的说明', ''),

  enable_advertisement: toggle('看广告得积分', false, { columns: 12 }),
  advertisement_credits: number('每次看广告得到的积分', 1, { min: 1, columns: 12 }),
  advertisement_seconds: number('至少要看多少秒', 15, { min: 5, max: 300, columns: 12 }),
  advertisement_times_every_day: number('每人每日看广告次数', 5, { min: 1, max: 100, columns: 12 }),

  test_mode: toggle('试运行：用按钮代替付款', false, {
    help: '不收钱就算支付成功，每个页面上都有提示；正式收款前务必关闭',
  }),
})

const download = group('下载设置', {
  enable_guest_download: toggle('游客可下载免费文档', false, { columns: 12 }),
  free_download_duration: number('购买后免费再次下载（天）', 0, {
    min: 0,
    columns: 12,
    help: '0 表示永久',
  }),
  times_every_day: number('每人每日下载次数', 10, { min: 0, columns: 12, help: '0 表示不能下载' }),
  times_every_ip: number('每个地址每日下载次数', 10, { min: 0, columns: 12, help: '0 表示不能下载' }),
  url_duration: number('下载链接有效期（秒）', 60, { min: 10, max: 86_400, columns: 12 }),
  enable_code_download: toggle('下载码', false, { columns: 12, help: '会员可以用下载码换取文档或积分' }),
  code_tip: textarea('下载码的说明', '', { help: '告诉会员到哪里得到下载码，可用 HTML' }),
})

const converter = group('转换设置', {
  max_preview_free: number('免费文档可读页数', 0, { min: 0, columns: 12, help: '0 表示全文' }),
  max_preview: number('付费文档预览页数', 12, { min: 0, columns: 12, help: '0 表示全部' }),
  max_preview_percent: number('最多预览比例（%）', 100, {
    min: 0,
    max: 100,
    columns: 12,
    help: '免费和付费文档都适用，0 或 100 表示不限',
  }),
  timeout: number('转换超时（分钟）', 30, { min: 1, max: 240, columns: 12 }),
  enable_gzip: toggle('压缩页面图', true, { columns: 12 }),
  max_pages: number('最多转换页数', 20_000, { min: 1, max: 20_000, columns: 12, help: '超过的文档只能下载' }),
  page_cache_mb: number('页面图缓存（MB）', 2048, { min: 50, columns: 12, help: '超出后先清理最久没有看过的页面' }),
})

const search = group('搜索设置', {
  enable_suggest: toggle('输入时给出建议', true, { columns: 12 }),
  enable_content: toggle('搜索正文', true, { columns: 12 }),
})

const miniprogram = group('小程序设置', {
  app_id: text('小程序 AppID', '', { columns: 12 }),
  app_secret: password('小程序 AppSecret', { columns: 12, help: '小程序登录、小程序码和小程序内微信支付需要' }),
  enable_login: toggle('小程序登录', false, { columns: 12 }),
  enable_scan_login: toggle('网页用小程序扫码登录', false, { columns: 12, help: '需要打开小程序登录' }),
  mp_logo: image('小程序里的标志', { columns: 12, help: '留空时使用网站标志' }),
  qrcode: image('小程序码', { columns: 12 }),
  tip: text('小程序码说明', '', { columns: 12 }),
  scan_page: text('扫码登录的页面', 'pages/scan/scan', { columns: 12, help: '小程序里的路径' }),
  document_page: text('文档的页面', 'pages/document/document', {
    columns: 12,
    help: '小程序里的路径，用于分享的小程序码',
  }),
  gateway: text('微信接口地址', '', gateway),
})

const ssr = group('服务端渲染', {
  cache_seconds: number('页面缓存（秒）', 5, { min: 0, max: 3600, columns: 12, help: '0 表示不缓存' }),
  stale_seconds: number('过期后仍可先用（秒）', 60, { min: 0, max: 86_400, columns: 12 }),
})

export const catalogue = {
  system,
  display,
  footer,
  security,
  captcha,
  email,
  mail_text,
  sms,
  oauth,
  score,
  vip,
  pay,
  download,
  converter,
  search,
  miniprogram,
  ssr,
}

export type GroupName = keyof typeof catalogue
export type Settings = { [G in GroupName]: Values<(typeof catalogue)[G]['fields']> }

type Values<F extends Record<string, Field>> = { [K in keyof F]: F[K]['default'] }

export function findField(groupName: string, key: string): Field | undefined {
  if (!Object.hasOwn(catalogue, groupName)) return undefined
  const fields: Record<string, Field> = catalogue[groupName as GroupName].fields
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

export function defaultSettings(): Settings {
  const groups = Object.entries(catalogue).map(([name, { fields }]) => [
    name,
    Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.default])),
  ])
  return Object.fromEntries(groups) as Settings
}

/** Whether visitors may read it without logging in. */
export function isOpenSite({ security }: Pick<Settings, 'security'>): boolean {
  return !security.is_close && !security.login_required
}
