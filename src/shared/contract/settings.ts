import * as z from 'zod/mini'
import { get, permission, put } from '../endpoint.ts'
import { count, flag, id, many, none, text, unsetTime } from '../fields.ts'

const Config = z.object({
  id,
  category: z.string(),
  name: z.string(),
  label: z.string(),
  value: z.string(),
  /** Why a secret that was saved is not in force, and what to do. */
  problem: z.string(),
  placeholder: z.string(),
  input_type: z.string(),
  options: z.string(),
  sort: count(),
  col_num: count(),
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type Config = z.output<typeof Config>

/**
 * What every visitor may know. Written out, not derived from the catalogue: pages load this, and need neither labels nor
 * help nor the keys of the back office.
 */
export const PublicSettings = z.object({
  system: z.object({
    sitename: z.string(),
    domain: z.string(),
    title: z.string(),
    keywords: z.string(),
    description: z.string(),
    recommend_words: z.array(z.string()),
    logo: z.string(),
    /** For the mini program. */
    mp_logo: z.string(),
    favicon: z.string(),
    login_background: z.string(),
    register_background: z.string(),
    theme_color: z.string(),
    copyright_start_year: z.string(),
    icp: z.string(),
    sec_icp: z.string(),
    enable_powered_by: flag,
    enable_watermark: flag,
    watermark: z.string(),
    version: z.string(),
    credit_name: z.string(),
    /** So many credits are one yuan. */
    credit_exchange: z.number(),
    show_exchange: flag,
    /** Members register, log in and recover their password with a code by sms. */
    enable_sms: flag,
    /** Members log in with a code by mail. */
    enable_email_login: flag,
    /** The code of the scripts, for clients that run it themselves; our pages contain it. */
    analytics: z.string(),
  }),
  footer: z.object({
    about: z.string(),
    contact: z.string(),
    agreement: z.string(),
    copyright: z.string(),
    feedback: z.string(),
    donate: z.string(),
  }),
  security: z.object({
    is_close: flag,
    login_required: flag,
    close_statement: z.string(),
    enable_register: flag,
    enable_verify_register_email: flag,
    /** Accounts of other sites, or a scan, log in. */
    enable_oauth: flag,
    enable_wechatmp_login: flag,
    enable_captcha_login: flag,
    captcha_after_failures: z.number(),
    enable_captcha_register: flag,
    enable_captcha_find_password: flag,
    enable_captcha_comment: flag,
    enable_captcha_code: flag,
    max_document_size: z.number(),
    document_allowed_ext: z.array(z.string()),
  }),
  display: z.object({
    palette: z.string(),
    density: z.string(),
    home_version: z.string(),
    index_document_style: z.string(),
    show_index_categories: flag,
    show_register_user_count: flag,
    show_document_count: flag,
    show_document_view_count: flag,
    show_document_download_count: flag,
    show_document_favorite_count: flag,
    show_document_descriptions: flag,
    enable_embed: flag,
    hide_keywords_on_lists: flag,
    hide_category_without_document: flag,
    /** Never 0, which is left out of replies: existing clients show their pages in steps. */
    pages_per_read: z.number(),
    /** Pages follow each other without steps. */
    reads_continuously: flag,
    copyright_statement: z.string(),
    wechat_qrcode: z.string(),
    wechat_tip: z.string(),
    contact_link: z.string(),
    contact_tip: z.string(),
  }),
  download: z.object({
    enable_guest_download: flag,
    free_download_duration: z.number(),
    /** Members who have paid read to the end online. */
    enable_paid_reading: flag,
    times_every_day: z.number(),
    times_every_ip: z.number(),
    enable_code_download: flag,
    code_tip: z.string(),
  }),
  /** What members are given, in credits. */
  score: z.object({
    register: z.number(),
    sign_in: z.number(),
    upload_document: z.number(),
    upload_document_limit: z.number(),
  }),
  /** Prices in fen. */
  vip: z.object({
    enable: flag,
    icon: z.string(),
    year_price: z.number(),
    year_original_price: z.number(),
    year_download: z.number(),
    year_times_every_day: z.number(),
    year_document_discount: z.number(),
    quarter_price: z.number(),
    quarter_original_price: z.number(),
    quarter_download: z.number(),
    quarter_times_every_day: z.number(),
    quarter_document_discount: z.number(),
    month_price: z.number(),
    month_original_price: z.number(),
    month_download: z.number(),
    month_times_every_day: z.number(),
    month_document_discount: z.number(),
  }),
  payment: z.object({
    enable_wechatpay: flag,
    enable_mp_wechatpay: flag,
    enable_alipay: flag,
    enable_thirdpay: flag,
    enable_bankcard: flag,
    enable_cash: flag,
    enable_other: flag,
    /** Advertisements that are watched bring credits, in the mini program. */
    enable_advertisement: flag,
    /** The owner's names for the methods that have none of their own. */
    third_title: z.string(),
    other_title: z.string(),
    test_mode: flag,
    topup_amounts: z.array(z.string()),
    topup_bonus: z.array(z.string()),
  }),
  search: z.object({
    enable_suggest: flag,
  }),
  miniprogram: z.object({
    qrcode: z.string(),
    tip: z.string(),
  }),
  language: z.array(z.object({ id, language: z.string(), code: z.string() })),
  /** What a new member may do, so that visitors are invited to nothing that they could not do. */
  default_group: z.object({ enable_upload: flag, enable_article: flag }),
})
export type PublicSettings = z.output<typeof PublicSettings>

/** Settings as text; one that is left out stays as it is. */
export const changes = z.array(
  z.object({ category: text(32, 1), name: text(64, 1), value: z._default(z.string(), '') }),
)

/** Certificates, agreements and parts of pages stand in settings. */
export const settingsLimit = 1024 * 1024

export const settings = {
  get: get('/settings', {
    summary: '公开的网站设置',
    access: 'open',
    shared: true,
    input: none,
    reply: PublicSettings,
  }),
  list: get('/config/list', {
    summary: '设置项；密码类的值显示为 ******',
    access: permission('ConfigAPI/ListConfig'),
    input: z.object({ category: many(text(32)) }),
    reply: z.object({ config: z.array(Config) }),
  }),
  update: put('/config', {
    summary: '修改设置；值为 ****** 的密码保持不变',
    access: permission('ConfigAPI/UpdateConfig'),
    proof: 'enrolled',
    bodyLimit: settingsLimit,
    input: z.object({ config: changes }),
    reply: none,
  }),
}
