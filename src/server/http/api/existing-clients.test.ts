import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DocumentStatus } from '#shared/document-status.ts'
import {
  BannerType,
  ContentType,
  OrderType,
  PaymentMethod,
  RecommendAction,
  ReportReason,
  ReviewStatus,
} from '#shared/enums.ts'
import { documentIndexer } from '#server/modules/search/index-documents.ts'
import { indexEntries } from '#server/modules/search/indexing.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/**
 * The calls of the two existing clients, as they send them, and what they read from the replies, by path and type. Zero values
 * are left out of replies: `?` marks what may be missing. What a client cannot read any more fails here by its name.
 */

let site: DocumentSite
/** The values that the calls refer to by the name in braces. */
const world: Record<string, unknown> = {}
const people: Record<Who, Person | undefined> = {
  visitor: undefined,
  member: undefined,
  author: undefined,
  admin: undefined,
}

type Who = 'visitor' | 'member' | 'author' | 'admin'

interface Call {
  who?: Who
  /** Method and path below /api/v1, with the query as it is sent. */
  send: string
  body?: Record<string, unknown>
  /** A reply that was kept: the client sends the whole object back, with the keys of `body` changed. */
  sendsBack?: string
  /** `key:type` or `list[].key:type`. An empty text stands for a reply that is not read. */
  reads?: string
  /** The values that later calls refer to, by name: a key of the reply, or all of it. */
  keeps?: Record<string, string>
}

const publicUser = 'id:number username:string avatar?:string signature?:string doc_count?:number article_count?:number'
const listedDocument =
  'document[].id:number document[].title:string document[].uuid:string document[].ext:string document[].pages?:number ' +
  'document[].attachment.hash:string document[].size:number document[].created_at:time document[].username:string'
const listedArticle =
  'article[].id:number article[].identifier:string article[].title:string article[].user.id:number ' +
  'article[].user.username:string article[].created_at:time article[].view_count?:number'
const document =
  'id:number uuid:string title:string ext:string width:number height:number pages:number preview:number ' +
  'preview_ext:string attachment.hash:string size:number status:number user_id:number score:number created_at:time ' +
  'updated_at:time category[].id:number category[].title:string category_id[]:number user.id:number ' +
  'user.username:string enable_gzip?:boolean price?:number description:string is_vip?:boolean'

const web: Call[] = [
  // The shell of every page.
  {
    send:
      'GET /category/list?field=id&field=title&field=parent_id&field=icon&field=cover&field=doc_count&field=enable' +
      '&field=description&field=show_description&field=type&type=0&type=1',
    reads:
      'category[].id:number category[].title:string category[].enable:boolean category[].parent_id?:number ' +
      'category[].doc_count?:number category[].type?:number category[].icon?:string category[].cover?:string',
  },
  {
    send: 'GET /settings',
    reads:
      'system.sitename:string system.title:string system.logo?:string system.favicon?:string system.domain?:string ' +
      'system.copyright_start_year:string system.credit_name:string system.version:string footer.about:string ' +
      'footer.agreement:string footer.contact:string security.enable_register:boolean ' +
      'security.enable_captcha_login?:boolean security.max_document_size:number ' +
      'display.home_version:string display.pages_per_read:number display.index_document_style:string ' +
      'display.copyright_statement?:string display.show_register_user_count?:boolean language[].code:string ' +
      'language[].language:string',
  },
  {
    send: 'GET /navigation/list?page=1&size=10000',
    reads:
      'navigation[].id:number navigation[].title:string navigation[].href:string navigation[].enable:boolean navigation[].fixed?:boolean',
  },
  {
    send: 'GET /friendlink/list?enable=true&field=id&field=title&field=link',
    reads: 'friendlink[].id:number friendlink[].title:string friendlink[].link:string',
  },
  {
    send: 'GET /advertisement/position?position=global_top&position=global_bottom',
    reads: 'advertisement[].position:string advertisement[].content:string',
  },
  // Home.
  {
    send: 'GET /document/list?field=id&field=title&field=uuid&is_recommend=true&order=recommend_at+desc&limit=12',
    reads: 'document[].id:number document[].title:string document[].uuid:string document[].attachment.hash:string',
  },
  { send: 'GET /article/list?page=1&size=6', reads: `total:number ${listedArticle}` },
  {
    send: 'GET /banner/list?enable=true&field=id&field=title&field=path&field=url&type=0',
    reads: 'banner[].id:number banner[].title:string banner[].path:string',
  },
  {
    send: 'GET /document/home?limit=8',
    reads:
      'document[].category_id:number document[].category_name:string document[].category_cover?:string ' +
      'document[].document[].id:number document[].document[].title:string document[].document[].ext:string ' +
      'document[].document[].uuid:string document[].document[].pages?:number',
  },
  { send: 'GET /stats', reads: 'document_count:number article_count:number user_count?:number' },
  // Category.
  {
    send:
      'GET /document/list?order=id+desc&status=2&page=1&size=10&category_id={category}&ext=pdf&fee_type=free' +
      '&language=zh-CN&field=id&field=title&field=ext',
    reads:
      'total:number document[].id:number document[].title:string document[].ext:string document[].attachment.hash:string',
  },
  {
    send: 'GET /document/list?order=id+desc&page=1&size=10&category_id={category}&fee_type=charge',
    reads: 'total:number',
  },
  // Document.
  { send: 'GET /document?id=0&uuid={uuid}&with_author=true', reads: document },
  { send: 'GET /document?id={document}&uuid={document}&with_author=true', reads: document },
  { send: 'GET /document/related?id={document}', reads: 'document[].id?:number document[].title?:string' },
  { send: 'GET /document/related?id=0', reads: '' },
  { who: 'member', send: 'GET /document/score?document_id={document}', reads: 'score?:number' },
  { who: 'member', send: 'POST /document/score', body: { document_id: '{document}', score: 400 }, reads: '' },
  { who: 'member', send: 'GET /document/score?document_id={document}', reads: 'id:number score:number user_id:number' },
  { who: 'member', send: 'GET /favorite?document_id={document}', reads: 'id?:number' },
  {
    who: 'member',
    send: 'POST /favorite',
    body: { document_id: '{document}', type: ContentType.Document },
    reads: 'id:number user_id:number document_id:number',
    keeps: { favorite: 'id' },
  },
  { who: 'member', send: 'GET /favorite?document_id={document}&type=0', reads: 'id:number document_id:number' },
  {
    who: 'member',
    send: 'GET /favorite/list?page=1&size=20',
    reads:
      'total:number favorite[].id:number favorite[].title:string favorite[].ext:string favorite[].document_uuid:string ' +
      'favorite[].pages:number favorite[].size:number favorite[].score:number',
  },
  { who: 'member', send: 'DELETE /favorite?id={favorite}', reads: '' },
  { who: 'member', send: 'GET /document/download?id={file}', reads: 'url:string' },
  {
    who: 'member',
    send: 'POST /comment',
    body: { document_id: '{document}', parent_id: 0, content: '写得很好', captcha: '', captcha_id: '' },
    reads: '',
  },
  {
    who: 'admin',
    send: 'GET /comment/list?page=1&size=10&with_document_title=true&status=0&status=1&status=2',
    reads:
      'total:number comment[].id:number comment[].content:string comment[].user.username:string ' +
      'comment[].document_title:string comment[].document_uuid:string comment[].created_at:time',
    keeps: { comment: 'comment[].id' },
  },
  { who: 'admin', send: 'POST /comment/check', body: { id: ['{comment}'], status: ReviewStatus.Approved }, reads: '' },
  {
    send: 'GET /comment/list?document_id={document}&type=0&order=id+asc&page=1&size=10000',
    reads:
      'comment[].id:number comment[].user.id:number comment[].user.username:string comment[].content:string comment[].parent_id?:number',
  },
  { who: 'member', send: 'POST /report', body: { document_id: '{document}', reason: ReportReason.Spam }, reads: '' },
  // Search.
  {
    send: 'GET /document/search?wd=%E5%B9%B4%E5%BA%A6&page=1&size=10&type=0',
    reads:
      'total:number spend:string document[].id:number document[].title:string document[].uuid:string document[].ext:string',
  },
  { send: 'GET /document/search?wd=&page=1&size=10', reads: '' },
  { send: 'GET /article/search?wd=%E5%B9%B4%E5%BA%A6&page=1&size=10', reads: 'total?:number' },
  // Articles.
  {
    send: 'GET /article/list?size=10&page=1&category_id={articles}&order=view_count+desc&status=1',
    reads: `total:number ${listedArticle} article[].category[].title:string`,
  },
  { send: 'GET /article/list?is_recommend=true&page=1&size=8&status=1', reads: '' },
  {
    send: 'GET /article?identifier={identifier}',
    reads:
      'id:number identifier:string title:string content:string user.id:number user.username:string category[].title:string created_at:time status:number',
  },
  {
    send: 'GET /article/related?identifier={identifier}',
    reads: 'article[].identifier?:string article[].title?:string',
  },
  // Signing in and up.
  {
    send: 'GET /user/captcha?type=register&t=1700000000000',
    reads: 'type?:string enable?:boolean id?:string captcha?:string',
  },
  {
    send: 'POST /user/register',
    body: {
      username: '{newcomer}',
      password: 'a good password',
      email: 'new@example.com',
      captcha: '',
      captcha_id: '',
      code: '',
    },
    reads: 'token:string user.id:number user.username:string',
  },
  {
    send: 'POST /user/login',
    body: { username: '{newcomer}', password: 'a good password', captcha: '', captcha_id: '' },
    reads: 'token:string user.id:number user.username:string user.group_id[]:number',
  },
  {
    who: 'admin',
    send: 'GET /user/permission',
    reads: 'permission[].id:number permission[].method:string permission[].path:string',
  },
  {
    who: 'member',
    send: 'GET /user/group',
    reads: 'group[].id:number group[].title:string group[].enable_upload?:boolean group[].enable_article?:boolean',
  },
  // Users.
  { send: 'GET /user?id={author}', reads: publicUser },
  { send: 'GET /document/list?page=1&size=20&user_id={author}', reads: `total:number ${listedDocument}` },
  { who: 'member', send: 'GET /user', reads: `${publicUser} group_id[]:number created_at:time` },
  {
    who: 'member',
    send: 'GET /user/dynamic?page=1&size=20',
    reads: 'total:number dynamic[].id:number dynamic[].content:string dynamic[].created_at:time',
  },
  { who: 'member', send: 'PUT /user/sign', reads: 'id:number user_id:number sign_at:number award:number' },
  { who: 'member', send: 'GET /user/sign', reads: 'id:number sign_at:number award:number' },
  {
    who: 'member',
    send: 'GET /user/download?page=1&size=20',
    reads:
      'total:number download[].id:number download[].title:string download[].document_uuid:string download[].created_at:time',
  },
  {
    who: 'member',
    send: 'PUT /user/profile',
    body: {
      id: '{member}',
      username: '{memberName}',
      signature: '好读书',
      address: '',
      realname: '',
      identity: '',
      email: '',
      mobile: '',
    },
    reads: '',
  },
  // The back office.
  {
    who: 'admin',
    send: 'GET /document/list?page=1&size=10&status=2&wd=%E5%B9%B4',
    reads: 'total:number document[].id:number document[].status:number document[].username:string',
  },
  {
    send: 'GET /language/list?page=1&size=1',
    reads: 'language[].language:string',
    keeps: { languageName: 'language[].language' },
  },
  // Clients send whole objects back, with keys that no caller may write and values that they changed for display.
  {
    who: 'author',
    send: 'GET /document?id={document}&with_author=true&with_all_content=true',
    reads: document,
    keeps: { whole: '' },
  },
  {
    who: 'author',
    send: 'PUT /document',
    sendsBack: 'whole',
    body: { title: '年度报告（修订）', score: 4.33, language: '{languageName}' },
    reads: '',
  },
  {
    who: 'author',
    send: 'GET /document?id={document}',
    reads: 'title:string language:string score:number user_id:number category_id[]:number',
  },
  ...(['category', 'navigation', 'friendlink', 'banner', 'advertisement', 'group', 'language'] as const).flatMap(
    (thing): Call[] => [
      {
        who: 'admin',
        send: `GET /${thing}/list?page=1&size=10`,
        reads: `${thing}[].id:number`,
        keeps: { [thing]: `${thing}[]` },
      },
      { who: 'admin', send: `PUT /${thing}`, sendsBack: thing, reads: '' },
    ],
  ),
  { who: 'admin', send: 'GET /article?identifier={identifier}', reads: 'content:string', keeps: { article: '' } },
  { who: 'admin', send: 'PUT /article', sendsBack: 'article', body: { title: '年度文章（修订）' }, reads: '' },
  { who: 'member', send: 'GET /user', reads: publicUser, keeps: { self: '' } },
  { who: 'member', send: 'PUT /user/profile', sendsBack: 'self', body: { signature: '开卷有益' }, reads: '' },
  {
    who: 'admin',
    send: 'PUT /document/recommend',
    body: { id: ['{document}'], type: RecommendAction.Recommend },
    reads: '',
  },
  {
    who: 'admin',
    send: 'PUT /document/check',
    body: { id: ['{document}'], status: DocumentStatus.Converted },
    reads: '',
  },
  { who: 'admin', send: 'PUT /document/reconvert', reads: '' },
  { who: 'admin', send: 'GET /document/recycle?page=1&size=10', reads: '' },
  { who: 'admin', send: 'GET /searchrecord/list?page=1&size=10&order=id+desc', reads: '' },
  { who: 'admin', send: 'GET /article/recycle/list?page=1&size=10', reads: '' },
  {
    who: 'admin',
    send: 'GET /user/list?page=1&size=10&wd=',
    reads: 'total:number user[].id:number user[].username:string user[].group_id[]:number user[].created_at:time',
  },
  { who: 'admin', send: 'GET /group/list?field=id&field=title', reads: 'group[].id:number group[].title:string' },
  { who: 'admin', send: 'GET /group/permission?id=1', reads: '' },
  {
    who: 'admin',
    send: 'GET /permission/list?method=grpc&method=get&method=post&method=put&method=delete',
    reads: 'permission[].id:number permission[].path:string permission[].method:string',
  },
  { who: 'admin', send: 'GET /punishment/list?page=1&size=10', reads: '' },
  {
    who: 'admin',
    send: 'GET /report/list?page=1&size=10&status=0',
    reads:
      'total:number report[].id:number report[].document_title:string report[].username:string report[].reason:number',
  },
  {
    who: 'admin',
    send: 'GET /attachment/list?page=1&size=10',
    reads: 'total:number attachment[].id:number attachment[].name:string attachment[].type_name:string',
  },
  {
    who: 'admin',
    send: 'GET /language/list?page=1&size=10',
    reads: 'total:number language[].id:number language[].language:string language[].code:string',
  },
  {
    who: 'admin',
    send: 'GET /config/list?category=system',
    reads:
      'config[].id:number config[].label:string config[].name:string config[].category:string config[].input_type:string',
  },
  { who: 'admin', send: 'GET /envs', reads: 'envs[].name:string envs[].description:string' },
  { who: 'admin', send: 'PUT /sitemap', reads: '' },
  { who: 'admin', send: 'PUT /sqlmode', reads: '' },
]

const order =
  'order_no:string order_type:number product_name:string price:number amount:number status:number created_at:time'
const card = 'times?:number download?:number discount?:number joined_at:time expired_at:time'

/** The mobile client's calls beside those that it shares with the web client. */
const mobile: Call[] = [
  {
    send: 'GET /settings?from=1',
    reads:
      'system.sitename:string system.credit_name:string system.credit_exchange:number system.show_exchange?:boolean ' +
      'system.enable_sms?:boolean security.enable_register:boolean display.pages_per_read:number vip.enable:boolean ' +
      'vip.year_price:number vip.quarter_price:number vip.month_price:number language[].code:string ' +
      'payment.enable_mp_wechatpay?:boolean download.enable_code_download?:boolean',
  },
  { send: 'GET /banner/list?type=1', reads: 'banner[].id:number banner[].path:string banner[].title:string' },
  { send: 'GET /document/list?sort=latest&page=1&size=10', reads: `total:number ${listedDocument}` },
  { send: 'GET /document/list?sort=recommend&fee_type=vip&page=1&size=10', reads: '' },
  { send: 'GET /document?id={document}&with_author=true', reads: document },
  {
    who: 'member',
    send: 'GET /user/rewarded/opportunities',
    reads: 'enable?:boolean download_times?:number credit_times?:number credit_count?:number',
  },
  {
    who: 'member',
    send: 'POST /order',
    body: { order_type: OrderType.Document, product_id: '{sold}' },
    reads: 'order_no:string status:number',
    keeps: { bought: 'order_no' },
  },
  { who: 'member', send: 'GET /order?order_no={bought}', reads: `${order} product_id:number quantity:number` },
  { who: 'member', send: 'GET /order/status?order_no={bought}', reads: 'status:number' },
  {
    who: 'member',
    send: 'POST /order/pay',
    body: { order_no: '{bought}', payment_type: PaymentMethod.Credits },
    reads: '',
  },
  { who: 'member', send: 'GET /order?order_no={bought}', reads: `${order} payment_type:number paid_at:time` },
  { who: 'member', send: 'GET /document/download?id={sold}', reads: 'url:string' },
  {
    who: 'member',
    send: 'POST /order',
    body: { order_type: OrderType.Vip, product_id: 2 },
    reads: 'order_no:string status:number',
    keeps: { vip: 'order_no' },
  },
  {
    who: 'member',
    send: 'POST /order/pay',
    body: { order_no: '{vip}', payment_type: PaymentMethod.Credits },
    reads: '',
  },
  { who: 'member', send: 'GET /user/vip/order?order_no={vip}', reads: card },
  { who: 'member', send: 'GET /user/vip/order', reads: `order[].order_no:string` },
  {
    who: 'member',
    send: 'GET /user/vip',
    reads:
      'total:number user_vip[].id:number user_vip[].type:number user_vip[].joined_at:time user_vip[].expired_at:time user_vip[].order_no:string',
  },
  { who: 'member', send: 'GET /user/vip/active', reads: card },
  {
    who: 'member',
    send: 'POST /order',
    body: { order_type: OrderType.TopUp, product_id: 0, quantity: 100 },
    reads: 'order_no:string status:number',
    keeps: { topUp: 'order_no' },
  },
  { who: 'member', send: 'PUT /order/close', body: { order_no: '{topUp}' }, reads: '' },
  { who: 'member', send: 'DELETE /order?order_no={topUp}', reads: '' },
  {
    who: 'member',
    send: 'GET /user/order?page=1&size=10&status=2',
    reads: `total:number ${order.replaceAll(/(\w+):/g, 'order[].$1:')}`,
  },
  {
    who: 'admin',
    send: 'GET /order/list?page=1&size=10&status=2',
    reads: `total:number ${order.replaceAll(/(\w+):/g, 'order[].$1:')}`,
  },
  { who: 'member', send: 'GET /user/oauth', reads: '' },
  { send: 'GET /oauth/configs', reads: '' },
  { who: 'member', send: 'GET /user', reads: `${publicUser} is_vip:boolean credit_count:number` },
]

beforeAll(async () => {
  site = await openDocumentSite()
  await site.configure({
    'security.enable_captcha_login': 'false',
    'security.enable_captcha_register': 'false',
    'security.enable_captcha_comment': 'false',
    'vip.enable': 'true',
    'score.sign_in': '1',
  })
  const [member, author] = [await site.member('reader'), await site.author()]
  Object.assign(people, { member, author, admin: site.root })
  await add('/order/system/recharge', { user_id: member.id, amount: 100_000, remark: '活动' })
  const category = await site.category('报告')
  const articles = await site.category('资讯', { type: ContentType.Article })
  const common = {
    owner: author,
    category: [category],
    language: 'zh-CN',
    keywords: '年度,报告',
    texts: ['年度报告的正文'],
  }
  const [shown = 0] = await site.addDocuments({ ...common, title: '年度报告', recommend_at: 1 })
  const { id: sold } = await storeDocument(site, {
    owner: author,
    title: '年度报告（完整版）',
    price: 10,
    categories: [category],
  })
  const { uuid } = await site.db.selectFrom('document').select('uuid').where('id', '=', shown).executeTakeFirstOrThrow()
  await indexEntries(await site.app.context(), documentIndexer, [shown])
  await addArticles(site, { title: '年度文章', identifier: 'yearly', author, category: [articles], keywords: '年度' })
  await add('/friendlink', { title: '朋友', link: 'https://friend.example.com', enable: true })
  const banner = { title: '横幅', path: '/uploads/banner/a.png', url: '/', enable: true }
  for (const type of [BannerType.Website, BannerType.MiniProgram]) await add('/banner', { ...banner, type })
  const advertisement = { title: '广告', position: 'global_top', content: '<p>广告</p>', enable: true }
  await add('/advertisement', advertisement)
  const { id: file } = await storeDocument(site, { owner: author, title: '可以下载' })
  const names = { category, articles, document: shown, sold, uuid, identifier: 'yearly', newcomer: 'newcomer' }
  Object.assign(world, names, { author: author.id, member: member.id, memberName: member.username, file })
})
afterAll(() => site.close())

describe.each([
  ['the web client', web, 'Bearer'],
  ['the mobile client', mobile, 'bearer'],
] as const)('%s', (_client, calls, scheme) => {
  test.each(calls.map((call) => [`${call.send}${call.who ? `, ${call.who}` : ''}`, call] as const))(
    '%s',
    async (_name, call) => {
      const [method = '', path = ''] = fill(call.send).split(' ')
      const token = people[call.who ?? 'visitor']?.token
      const { status, json } = await site.send(method, `/api/v1${path}`, {
        headers: token ? { authorization: `${scheme} ${token}` } : {},
        body: bodyOf(call),
      })
      expect({ status, message: json.message }).toEqual({ status: 200, message: undefined })
      const missing = (call.reads ?? '')
        .split(' ')
        .filter(Boolean)
        .flatMap((field) => findProblem(json, field))
      expect(missing).toEqual([])
      for (const [name, key] of Object.entries(call.keeps ?? {})) world[name] = valuesAt(json, key)[0]
    },
  )
})

/** Adds something to the site as its administrator. */
async function add(path: string, body: Record<string, unknown>): Promise<void> {
  const { status, json } = await site.send('POST', `/api/v1${path}`, { token: site.root.token, body })
  expect({ status, message: json.message }).toEqual({ status: 200, message: undefined })
}

/** Empty if all values at the path have the type. */
function findProblem(json: unknown, field: string): string[] {
  const [, path = '', optional, type = ''] = /^([^:?]+)(\??):(\w+)$/.exec(field) ?? []
  const values = valuesAt(json, path)
  if (optional && values.every((value) => value === undefined)) return []
  if (values.length === 0) return [`${path}: nothing is listed`]
  return values.every((value) => (optional && value === undefined) || isOfType(value, type))
    ? []
    : [`${field}: ${JSON.stringify(values[0])}`]
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'time') return typeof value === 'string' && Number.isFinite(Date.parse(value))
  return typeof value === type
}

function valuesAt(json: unknown, path: string): unknown[] {
  if (path === '') return [json]
  let values: unknown[] = [json]
  for (const key of path.split('.')) {
    const isList = key.endsWith('[]')
    const name = isList ? key.slice(0, -2) : key
    const found = values.map((value) => (value as Record<string, unknown> | undefined)?.[name])
    values = isList ? found.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])) : found
  }
  return values
}

function fill(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(world[name]))
}

function bodyOf({ body, sendsBack }: Call): Record<string, unknown> | undefined {
  if (!sendsBack) return body && fillKeys(body)
  return { ...(world[sendsBack] as object), ...fillKeys(body ?? {}) }
}

function fillKeys(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, fillValue(value)]))
}

/** A placeholder that is a whole text keeps the type of its value. */
function fillValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillValue)
  const name = typeof value === 'string' ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined
  return name === undefined ? value : world[name]
}
