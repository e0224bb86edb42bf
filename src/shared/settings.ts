import { documentExts } from './document-kinds.ts'
import { choice, choices, type Field, group, image, list, number, text, textarea, toggle } from './setting-fields.ts'
import { captcha, miniprogram, oauth, sms } from './setting-groups/identity.ts'
import { defaultPalette, densities, palettes } from './palettes.ts'
import { email, mail_text } from './setting-groups/mail.ts'
import { download, pay, score, vip } from './setting-groups/money.ts'
import { spider } from './setting-groups/spider.ts'

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
  title: text('首页标题', '文豆 · 文库', { namesSite: true }),
  keywords: text('关键字', '文豆,文库,文档,资料,下载', { namesSite: true }),
  description: textarea('网站描述', '在文豆上传、阅读、搜索和下载文档，分享知识。', { namesSite: true }),
  recommend_words: list('热门搜索词', [], { help: '显示在首页搜索框下方；搜不到内容的词不显示' }),
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
  palette: choice(
    '配色',
    defaultPalette,
    Object.fromEntries(Object.entries(palettes).map(([name, { label }]) => [name, label])),
    {
      columns: 12,
      help: '“系统设置”里改过主题色的，按钮和链接用那里的颜色',
    },
  ),
  density: choice('疏密', 'comfortable', densities, { columns: 12, help: '紧凑：大屏上一屏显示更多内容；手机不变' }),
  home_version: choice('首页样式', 'v1', { v1: '经典', v2: '杂志' }, { columns: 12 }),
  index_document_style: choice('首页文档样式', 'card', { card: '卡片', list: '封面列表' }, { columns: 12 }),
  show_index_categories: toggle('首页显示分类', true, { columns: 12 }),
  show_register_user_count: toggle('显示注册用户数', true, { columns: 12, help: '满 100 位才显示' }),
  virtual_register_count: number('虚拟注册用户数', 0, { min: 0, columns: 12, help: '加在真实注册用户数之上' }),
  show_document_count: toggle('显示文档总数', true, { columns: 12, help: '文档、文章满 100 才显示' }),
  show_document_view_count: toggle('显示浏览次数', true, { columns: 12 }),
  show_document_download_count: toggle('显示下载次数', true, { columns: 12 }),
  show_document_favorite_count: toggle('显示收藏次数', true, { columns: 12 }),
  show_document_descriptions: toggle('显示文档说明', true, { columns: 12 }),
  enable_embed: toggle('允许其他网站嵌入文档', true, {
    columns: 12,
    help: '公开的文档可以用一段代码显示在别的网页里',
  }),
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

const converter = group('转换设置', {
  max_preview_free: number('免费文档可读页数', 0, { min: 0, columns: 12, help: '0 表示全文' }),
  max_preview: number('付费文档预览页数', 12, { min: 0, columns: 12, help: '0 表示全部' }),
  max_preview_percent: number('最多预览比例（%）', 100, {
    min: 0,
    max: 100,
    columns: 12,
    help: '免费和付费文档都适用，0 或 100 表示不限',
  }),
  paid_outline: toggle('付费文档显示完整目录', false, {
    columns: 12,
    help: '关闭时，预览之外的目录条目不发给还没有购买的读者',
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

const ssr = group('服务端渲染', {
  cache_seconds: number('页面缓存（秒）', 5, {
    min: 0,
    max: 3600,
    columns: 12,
    help: '也用于给访客的接口答复，0 表示不缓存',
  }),
  stale_seconds: number('过期后仍可先用（秒）', 60, { min: 0, max: 86_400, columns: 12 }),
})

const backup = group('备份设置', {
  schedule: choice(
    '自动备份',
    'off',
    { off: '不自动备份', daily: '每天', weekly: '每周' },
    { columns: 8, help: '放在运行后台任务的那台服务器的数据目录里，请再复制到另一台机器' },
  ),
  hour: number('在几点以后开始', 3, { min: 0, max: 23, columns: 8 }),
  keep: number('保留几份', 7, { min: 1, max: 100, columns: 8, help: '每台服务器上超出的，旧的先删除' }),
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
  spider,
  miniprogram,
  ssr,
  backup,
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
