import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { byIds, count, flag, id, listInput, many, none, page, text, unsetTime } from '../fields.ts'
import { catalogue } from '../settings.ts'
import { type Field } from '../setting-fields.ts'

const Config = z.object({
  id,
  category: z.string(),
  name: z.string(),
  label: z.string(),
  value: z.string(),
  placeholder: z.string(),
  input_type: z.string(),
  options: z.string(),
  sort: count(),
  col_num: count(),
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type Config = z.output<typeof Config>

const system = publicPart('system')
const security = publicPart('security')

export const PublicSettings = z.object({
  system: z.extend(system, {
    version: z.string(),
    credit_name: z.string(),
    /** The text of the scripts, for clients that run it themselves; our pages bring it with them. */
    analytics: z.string(),
  }),
  footer: publicPart('footer'),
  security,
  display: publicPart('display'),
  download: publicPart('download'),
  vip: publicPart('vip'),
  search: publicPart('search'),
  miniprogram: publicPart('miniprogram'),
  language: z.array(z.object({ id, language: z.string(), code: z.string() })),
})
export type PublicSettings = z.output<typeof PublicSettings>

export const settings = {
  get: get('/settings', { summary: '公开的网站设置', access: 'open', input: none, reply: PublicSettings }),
  list: get('/config/list', {
    summary: '设置项；密码类的值显示为 ******',
    access: permission('ConfigAPI/ListConfig'),
    input: z.object({ category: many(text(32)) }),
    reply: z.object({ config: z.array(Config) }),
  }),
  update: put('/config', {
    summary: '修改设置；值为 ****** 的密码保持不变',
    access: permission('ConfigAPI/UpdateConfig'),
    input: z.object({
      config: z.array(z.object({ category: text(32, 1), name: text(64, 1), value: z._default(z.string(), '') })),
    }),
    reply: none,
  }),
}

export const stats = {
  get: get('/stats', {
    summary: '网站统计',
    access: 'public',
    input: none,
    reply: z.object({
      user_count: count(),
      document_count: count(),
      article_count: count(),
      category_count: count(),
      comment_count: count(),
      banner_count: count(),
      friendlink_count: count(),
      report_count: count(),
      os: z.string(),
      version: z.string(),
      hash: z.string(),
      build_at: unsetTime,
    }),
  }),
  /** For the dashboard. */
  trend: get('/stats/trend', {
    summary: '近 30 天每天的数字，最后一天是今天',
    access: permission('ConfigAPI/GetStats'),
    input: none,
    reply: z.object({
      day: z.array(
        z.object({
          /** 2026-11-15 */
          day: z.string(),
          view: count(),
          visitor: count(),
          upload: count(),
          download: count(),
          register: count(),
          search: count(),
          converted: count(),
          failed: count(),
        }),
      ),
    }),
  }),
  /** What waits for the administrator. */
  waiting: get('/stats/waiting', {
    summary: '等待处理的事项',
    access: permission('ConfigAPI/GetStats'),
    input: none,
    reply: z.object({
      document_review: count(),
      article_review: count(),
      comment_review: count(),
      report: count(),
      failed_conversion: count(),
      conversion_queue: count(),
      failed_mail: count(),
    }),
  }),
}

const Mail = z.object({
  id,
  email: z.string(),
  title: z.string(),
  /** 0 waits, 1 is sent, 2 was given up. */
  status: count(2),
  attempts: count(),
  /** Why the last attempt failed. */
  error: z.string(),
  /** What it brings is worth nothing any more: it cannot be sent again. */
  is_expired: flag,
  created_at: unsetTime,
  updated_at: unsetTime,
})

/** Letters that the site has sent or tries to send. What is in them is nobody else's business. */
export const mails = {
  list: get('/mail/list', {
    summary: '邮件记录：收件人、主题和发送结果，不含内容',
    access: permission('MailAPI/ListMail'),
    input: listInput({ status: many(count(2)) }),
    reply: page('mail', Mail),
  }),
  retry: put('/mail/retry', {
    summary: '重新发送失败的邮件，已过期的除外',
    access: permission('MailAPI/RetryMail'),
    input: byIds,
    reply: none,
  }),
  delete: del('/mail', {
    summary: '删除邮件记录，等待发送的除外',
    access: permission('MailAPI/DeleteMail'),
    input: byIds,
    reply: none,
  }),
}

export const visits = {
  note: post('/visit', {
    summary: '记一次页面浏览，不用 Cookie，不含搜索引擎',
    // Beacons bring no token: a site that asks for login would refuse its own members.
    access: 'open',
    input: z.object({ path: text(1000, 1) }),
    reply: none,
  }),
}

export const sitemaps = {
  renew: put('/sitemap', {
    summary: '重新统计站点地图；站点地图总是最新的',
    access: permission('ConfigAPI/UpdateSitemap'),
    input: none,
    reply: z.object({ total: count() }),
  }),
}

const Figures = z.object({ total: z.number(), used: z.number(), free: z.number(), percent: z.number() })
const Release = z.object({
  tag_name: z.string(),
  name: z.string(),
  body: z.string(),
  release_at: unsetTime,
  /** The release not to be told of again. */
  ignore: z.string(),
  source: z.string(),
  current: z.string(),
  /** Where releases are published, as owner/name; empty when nobody has said. */
  repository: z.string(),
  checked_at: unsetTime,
})

/** What the site runs on, and what newer versions there are. */
export const machine = {
  device: get('/device', {
    summary: '服务器的处理器、内存和磁盘',
    access: permission('ConfigAPI/GetDeviceInfo'),
    input: none,
    reply: z.object({
      cpu: z.object({ cores: count(), model_name: z.string(), mhz: z.number(), percent: z.number() }),
      memory: z.extend(Figures, { available: z.number() }),
      disk: z.array(z.extend(Figures, { disk_name: z.string() })),
    }),
  }),
  license: get('/license', {
    summary: '软件的许可证',
    access: 'staff',
    input: none,
    reply: z.object({ name: z.string(), title: z.string(), text: z.string() }),
  }),
  release: get('/release', { summary: '已知的最新版本', access: 'staff', input: none, reply: Release }),
  checkRelease: post('/release', { summary: '现在查一次新版本', access: 'staff', input: none, reply: Release }),
  setReleaseSource: put('/release/source', {
    summary: '从哪里查新版本',
    access: 'staff',
    input: z.object({ source: z.enum(['none', 'auto', 'gitee', 'github'], '来源只能是 none、auto、gitee 或 github') }),
    reply: none,
  }),
  ignoreRelease: put('/release/ignore', {
    summary: '不再提示某个版本',
    access: 'staff',
    input: z.object({ tag_name: text(64, 1) }),
    reply: none,
  }),
  sqlMode: put('/sqlmode', {
    summary: '修正数据库模式：没有需要修正的，只为兼容而保留',
    access: 'root',
    input: none,
    reply: none,
  }),
}

export const environment = {
  envs: get('/envs', {
    summary: '转换程序是否齐备',
    access: permission('ConfigAPI/GetEnvs'),
    input: none,
    reply: z.object({
      envs: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          cmd: z.string(),
          is_required: flag,
          is_installed: flag,
          version: z.string(),
          error: z.string(),
          checked_at: unsetTime,
        }),
      ),
    }),
  }),
}

type Groups = typeof catalogue
type PublicKeys<F> = { [K in keyof F]: F[K] extends { public: true } ? K : never }[keyof F]
type SchemaOf<V> = V extends boolean
  ? typeof flag
  : V extends number
    ? z.ZodMiniNumber
    : V extends string[]
      ? z.ZodMiniArray<z.ZodMiniString>
      : z.ZodMiniString
type Shape<F extends Record<string, Field>> = { [K in PublicKeys<F>]: SchemaOf<F[K]['default']> }

/** The keys of a group that the catalogue marks as public. */
function publicPart<G extends keyof Groups>(name: G): z.ZodMiniObject<Shape<Groups[G]['fields']>> {
  const fields: Record<string, Field> = catalogue[name].fields
  const shape = Object.entries(fields)
    .filter(([, field]) => field.public)
    .map(([key, field]) => [key, schemaOf(field)])
  return z.object(Object.fromEntries(shape)) as z.ZodMiniObject<Shape<Groups[G]['fields']>>
}

function schemaOf({ kind }: Field): z.ZodMiniType {
  if (kind === 'switch') return flag
  if (kind === 'number') return z.number()
  return kind === 'select-multi' ? z.array(z.string()) : z.string()
}
