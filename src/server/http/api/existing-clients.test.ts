import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DocumentStatus } from '#shared/document-status.ts'
import {
  BannerType,
  CodeScene,
  ContentType,
  DownloadCodeKind,
  OrderType,
  PaymentMethod,
  Punishment,
  RecommendAction,
  ReportReason,
  ReviewStatus,
} from '#shared/enums.ts'
import { articleIndexer } from '#server/modules/search/index-articles.ts'
import { documentIndexer } from '#server/modules/search/index-documents.ts'
import { indexEntries } from '#server/modules/search/indexing.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { startVendors, type Vendors } from '#server/testing/oauth/vendors.ts'
import { convertAll } from '#server/testing/publish-document.ts'
import type { Person, ResponseSnapshot } from '#server/testing/site.ts'
import { aliyunProtocol } from '#server/testing/sms/aliyun-protocol.ts'
import { openSmsServer, type SmsServer } from '#server/testing/sms/sms-server.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/**
 * The calls of the two existing clients, as they send them, and what they read from the replies, by path and type. Zero values
 * are left out of replies: `?` marks what may be missing. What a client cannot read any more fails here by its name.
 */

let site: DocumentSite
let mailbox: Mailbox
let smsServer: SmsServer
let vendors: Vendors
/** The values that the calls refer to by the name in braces. */
const world: Record<string, unknown> = {}
const people: Record<Who, Person | undefined> = {
  visitor: undefined,
  member: undefined,
  author: undefined,
  leaver: undefined,
  admin: undefined,
}

type Who = 'visitor' | 'member' | 'author' | 'leaver' | 'admin'

interface Call {
  who?: Who
  /** Method and path below /api/v1, with the query as it is sent; files have their own addresses, with or without a host. */
  send: string
  body?: Record<string, unknown>
  /** Sent in place of a body, as a form does. */
  file?: { name: string; bytes: Uint8Array }
  /** A reply that was kept: the client sends the whole object back, with the keys of `body` changed. */
  sendsBack?: string
  /** `key:type` or `list[].key:type`. An empty text stands for a reply that is not read. */
  reads?: string
  /** The values that later calls refer to, by name: a key of the reply, or all of it. */
  keeps?: Record<string, string>
  /** The media type of a file, and what the client has to know to show it. */
  gives?: string
  /** The reason of a refusal. The client shows its message. */
  refused?: string
  /** The status of a refusal, where the client looks at it. */
  status?: number
  /** What happens before the next call. */
  afterwards?: () => void | Promise<void>
}

const noCaptcha = { captcha: '', captcha_id: '' }
const refusal = 'message:string code:number'
const addresses = { newcomer: 'new@example.com', second: 'second@example.com' }
const mobiles = { registering: '13900000001', loggingIn: '13900000002' }
/** One pixel. */
const picture = {
  name: '图.png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    'base64',
  ),
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

/** What the back office adds and deletes again. */
const newThings = [
  ['navigation', { title: '关于', href: '/article/about', target: '_self', enable: true, sort: 0 }],
  ['friendlink', { title: '友站', link: 'https://other.example.com', enable: true, sort: 0 }],
  ['banner', { title: '横幅', path: '/uploads/banner/b.png', url: '/', enable: true, type: BannerType.Website }],
  ['advertisement', { title: '广告', position: 'global_bottom', content: '<p>广告</p>', enable: true }],
  ['language', { language: '世界语', code: 'art', enable: true, sort: 0 }],
] as const

/** The back office saves one row of the settings. */
function sets(path: string, value: string): Call {
  const [category, name] = path.split('.')
  return { who: 'admin', send: 'PUT /config', body: { config: [{ category, name, value }] }, reads: '' }
}

const verifiesEmail = (value: 'true' | 'false') => sets('security.enable_verify_register_email', value)

/** Captchas are off but for these calls. */
const captchas = ['login', 'register', 'find_password', 'comment'].flatMap((type): Call[] => [
  sets(`security.enable_captcha_${type}`, 'true'),
  {
    send: `GET /user/captcha?type=${type}&t=1700000000000`,
    reads: 'enable:boolean id:string captcha:string type:string',
  },
  sets(`security.enable_captcha_${type}`, 'false'),
  { send: `GET /user/captcha?type=${type}`, reads: 'enable?:boolean' },
])

const range = 'created_at=2020-01-01+00:00:00&created_at=2099-12-31+23:59:59'
const found =
  'total:number spend:string document[].id:number document[].title:string document[].uuid:string ' +
  'document[].ext:string document[].description:string document[].pages:number document[].size:number ' +
  'document[].price?:number document[].score?:number document[].keywords:string document[].created_at:time'
const foundArticle =
  'total:number spend:string article[].id:number article[].identifier:string article[].title:string ' +
  'article[].description?:string article[].keywords?:string article[].created_at:time article[].user.username:string'
/** 年度 */
const wd = 'wd=%E5%B9%B4%E5%BA%A6'

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
  {
    send: 'GET /document/related?id={document}',
    reads:
      'document[].id:number document[].title:string document[].uuid:string document[].ext:string ' +
      'document[].username:string document[].attachment.hash:string',
  },
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
    keeps: { comment: 'comment[].id', wholeComment: 'comment[]' },
  },
  { who: 'admin', send: 'POST /comment/check', body: { id: ['{comment}'], status: ReviewStatus.Approved }, reads: '' },
  {
    send: 'GET /comment/list?document_id={document}&type=0&order=id+asc&page=1&size=10000',
    reads:
      'comment[].id:number comment[].user.id:number comment[].user.username:string comment[].content:string comment[].parent_id?:number',
  },
  { who: 'admin', send: 'PUT /comment', sendsBack: 'wholeComment', body: { content: '写得好' }, reads: '' },
  { who: 'admin', send: 'GET /comment?id={comment}', reads: 'id:number content:string user_id:number created_at:time' },
  { who: 'member', send: 'DELETE /comment?id={comment}', reads: '' },
  { who: 'member', send: 'POST /report', body: { document_id: '{document}', reason: ReportReason.Spam }, reads: '' },
  // Search.
  { send: `GET /document/search?${wd}&page=1&size=10&type=0`, reads: found },
  ...['default', 'latest', 'pages', 'size'].map((sort): Call => ({
    send: `GET /document/search?${wd}&page=1&size=10&type=0&sort=${sort}&ext=pdf&language=zh-CN&category_id={category}&${range}`,
    reads: found,
  })),
  { send: `GET /document/search?${wd}&user_id={author}&${range}`, reads: found },
  { send: `GET /document/search?${wd}&ext=epub`, reads: 'total?:number spend:string' },
  {
    send: `GET /document/search?${wd}&created_at=2001-01-01+00:00:00&created_at=2001-12-31+23:59:59`,
    reads: 'spend:string',
  },
  { send: 'GET /document/search?wd=&page=1&size=10', reads: '' },
  { send: `GET /article/search?${wd}&page=1&size=10`, reads: foundArticle },
  ...['default', 'latest'].map((sort): Call => ({
    send: `GET /article/search?${wd}&page=1&size=10&type=1&sort=${sort}&category_id={articles}&${range}`,
    reads: foundArticle,
  })),
  // Articles.
  {
    send: 'GET /article/list?size=10&page=1&category_id={articles}&order=view_count+desc&status=1',
    reads: `total:number ${listedArticle} article[].category[].title:string`,
  },
  {
    send: 'GET /article/list?is_recommend=true&page=1&size=8&status=1',
    reads: `total:number ${listedArticle} article[].recommend_at:time`,
  },
  {
    send: 'GET /article?identifier={identifier}',
    reads:
      'id:number identifier:string title:string content:string user.id:number user.username:string category[].title:string created_at:time status:number',
  },
  {
    send: 'GET /article/related?identifier={identifier}',
    reads: 'article[].id:number article[].identifier:string article[].title:string article[].keywords:string',
  },
  {
    who: 'member',
    send: 'POST /favorite',
    body: { document_id: '{articleId}', type: ContentType.Article },
    reads: 'id:number user_id:number document_id:number',
  },
  {
    who: 'member',
    send: 'GET /favorite?document_id={articleId}&type=1',
    reads: 'id:number document_id:number type:number',
  },
  {
    who: 'member',
    send: 'GET /favorite/list?page=1&size=20&type=1',
    reads: 'total:number favorite[].id:number favorite[].title:string favorite[].document_uuid:string',
  },
  // Publishing.
  { who: 'author', send: 'GET /user/caniuploaddocument', reads: '' },
  { who: 'member', send: 'GET /user/canipublisharticle', reads: '' },
  { who: 'author', send: 'GET /user/canipublisharticle', refused: 'users.publishDenied', reads: refusal },
  {
    who: 'author',
    send: 'POST /upload/document',
    file: { name: '季度报告.pdf', bytes: makePdf({ title: '季度报告', pages: 2 }) },
    reads: 'code:number message:string data.id:number',
    keeps: { attachmentId: 'data.id' },
  },
  {
    who: 'author',
    send: 'POST /document',
    body: {
      overwrite: false,
      category_id: ['{category}'],
      document: [
        {
          title: '季度报告',
          attachment_id: '{attachmentId}',
          price: 0,
          language: 'zh-CN',
          keywords: '季度,报告',
          description: '',
        },
      ],
    },
    reads: '',
    keeps: { published: 'document[].id' },
    afterwards: () => convertAll(site),
  },
  {
    send: 'GET /document?id={published}&with_author=true',
    reads: document,
    keeps: { pages: 'attachment.hash', pageEnding: 'preview_ext' },
  },
  { send: 'GET /view/page/{pages}/1{pageEnding}', gives: 'image/svg+xml' },
  { send: 'GET /view/page/{pages}/2.gzip{pageEnding}', gives: 'image/svg+xml' },
  { send: 'GET /view/cover/{pages}', gives: 'image/webp' },
  {
    who: 'member',
    send: 'POST /article',
    body: {
      title: '季度文章',
      keywords: '季度',
      description: '',
      content: '<p>季度文章的正文</p>',
      category_id: ['{articles}'],
      identifier: '',
    },
    reads: 'id:number identifier:string title:string',
    keeps: { written: 'id' },
  },
  { who: 'admin', send: 'POST /upload/article?type=image', file: picture, reads: 'data.url:string data.alt:string' },
  { who: 'member', send: 'POST /upload/avatar', file: picture, reads: 'data.path:string' },
  ...['config', 'banner', 'category'].map((use): Call => ({
    who: 'admin',
    send: `POST /upload/${use}`,
    file: picture,
    reads: 'data.path:string',
  })),
  // Signing in and up.
  ...captchas,
  {
    send: 'POST /user/register',
    body: {
      username: '{newcomer}',
      password: 'a good password',
      email: addresses.newcomer,
      captcha: '',
      captcha_id: '',
      code: '',
    },
    reads: 'token:string user.id:number user.username:string',
    keeps: { newcomerId: 'user.id' },
  },
  {
    send: 'POST /user/login',
    body: { username: '{newcomer}', password: 'a good password', captcha: '', captcha_id: '' },
    reads: 'token:string user.id:number user.username:string user.group_id[]:number',
  },
  verifiesEmail('true'),
  {
    send: 'POST /user/email/code',
    body: { email: addresses.second, type: CodeScene.Register, ...noCaptcha },
    reads: '',
    afterwards: async () => {
      await deliverMails(site)
      world.mailedCode = /\d{6}/.exec(mailbox.latest(addresses.second).text)?.[0]
    },
  },
  {
    send: 'POST /user/register',
    body: {
      username: 'second',
      password: 'a good password',
      email: addresses.second,
      code: '{mailedCode}',
      ...noCaptcha,
    },
    reads: 'token:string user.id:number user.username:string',
  },
  verifiesEmail('false'),
  {
    send: 'POST /user/findpassword/stepone',
    body: { email: addresses.second, ...noCaptcha },
    reads: '',
    afterwards: async () => {
      await deliverMails(site)
      const [link = ''] = /https?:\S+/.exec(mailbox.latest(addresses.second).text) ?? []
      world.resetToken = new URL(link).searchParams.get('token')
    },
  },
  {
    send: 'PUT /user/findpassword/steptwo',
    body: { email: addresses.second, token: '{resetToken}', password: 'a better password', ...noCaptcha },
    reads: '',
  },
  {
    send: 'PUT /user/findpassword/steptwo',
    body: { email: addresses.second, token: '{resetToken}', password: 'a third password', ...noCaptcha },
    refused: 'users.resetLinkWrong',
    reads: refusal,
  },
  {
    send: 'POST /user/login',
    body: { username: 'second', password: 'a better password', ...noCaptcha },
    reads: 'token:string user.id:number',
  },
  {
    who: 'leaver',
    send: 'PUT /user/password',
    body: { old_password: '{leaverPassword}', new_password: 'a better password' },
    reads: '',
  },
  { who: 'leaver', send: 'GET /user', reads: publicUser },
  { who: 'leaver', send: 'DELETE /user/logout', reads: '' },
  { who: 'leaver', send: 'GET /user', refused: 'access.loginNeeded', reads: refusal },
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
  { who: 'member', send: 'GET /user/sign', refused: 'credits.notSigned', status: 404, reads: refusal },
  { who: 'member', send: 'PUT /user/sign', reads: 'id:number user_id:number sign_at:number award:number' },
  { who: 'member', send: 'GET /user/sign', reads: 'id:number sign_at:number award:number' },
  { who: 'member', send: 'PUT /user/sign', refused: 'credits.signedAlready', status: 409, reads: refusal },
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
    who: 'admin',
    send: 'PUT /document/category',
    body: { document_id: ['{published}'], category_id: ['{category}'] },
    reads: '',
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
  ...newThings.flatMap(([thing, body]): Call[] => [
    { who: 'admin', send: `POST /${thing}`, body, reads: 'id:number', keeps: { added: 'id' } },
    ...(thing === 'language' ? [] : [{ who: 'admin', send: `GET /${thing}?id={added}`, reads: 'id:number' } as const]),
    { who: 'admin', send: `DELETE /${thing}?id={added}`, reads: '' },
  ]),
  {
    who: 'admin',
    send: 'POST /category',
    body: { title: '小说\n散文', parent_id: 0, enable: true, type: ContentType.Document },
    reads: '',
  },
  {
    who: 'admin',
    send: 'GET /category/list?wd=%E6%95%A3%E6%96%87&type=0',
    reads: 'category[].id:number category[].title:string',
    keeps: { added: 'category[].id' },
  },
  { who: 'admin', send: 'GET /category?id={added}', reads: 'id:number title:string' },
  { who: 'admin', send: 'DELETE /category?id={added}', reads: '' },
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
  {
    who: 'admin',
    send: 'PUT /document/language',
    body: { document_id: ['{published}'], language: 'zh-CN' },
    reads: '',
  },
  {
    who: 'admin',
    send: 'PUT /document/check',
    body: { id: ['{published}'], status: DocumentStatus.Disabled },
    reads: '',
  },
  { who: 'admin', send: 'GET /document/download/bereviewed?id={published}', reads: 'url:string' },
  { who: 'author', send: 'DELETE /document?id={published}', reads: '' },
  {
    who: 'admin',
    send: 'GET /document/recycle?page=1&size=10',
    reads:
      'total:number document[].id:number document[].title:string document[].username:string ' +
      'document[].deleted_username:string document[].deleted_at:time document[].category[].title:string',
  },
  { who: 'admin', send: 'PUT /document/recycle', body: { id: ['{published}'] }, reads: '' },
  { who: 'author', send: 'DELETE /document?id={published}', reads: '' },
  { who: 'admin', send: 'DELETE /document/recycle?id={published}', reads: '' },
  { who: 'admin', send: 'DELETE /document/recycle/all', reads: '' },
  {
    who: 'admin',
    send: 'GET /searchrecord/list?page=1&size=10&order=id+desc',
    reads:
      'total:number search_record[].id:number search_record[].keywords:string search_record[].ip:string ' +
      'search_record[].total?:number search_record[].page:number search_record[].spend_time?:number ' +
      'search_record[].user_agent?:string search_record[].username?:string search_record[].created_at:time',
    keeps: { searched: 'search_record[].id' },
  },
  { who: 'admin', send: 'DELETE /searchrecord?id={searched}', reads: '' },
  {
    who: 'admin',
    send: 'PUT /article/category',
    body: { article_id: ['{written}'], category_id: ['{articles}'] },
    reads: '',
  },
  {
    who: 'admin',
    send: 'PUT /article/recommend',
    body: { article_id: ['{written}'], is_recommend: true },
    reads: '',
  },
  {
    who: 'admin',
    send: 'PUT /article/check',
    body: { article_id: ['{written}'], status: ReviewStatus.Rejected, rejeact_reason: '请补充来源' },
    reads: '',
  },
  { who: 'member', send: 'DELETE /article?id={written}', reads: '' },
  {
    who: 'admin',
    send: 'GET /article/recycle/list?page=1&size=10',
    reads:
      'total:number article[].id:number article[].title:string article[].user.username:string ' +
      'article[].category[].title:string article[].deleted_at:time',
  },
  { who: 'admin', send: 'POST /article/recycle/restore', body: { id: ['{written}'] }, reads: '' },
  { who: 'member', send: 'DELETE /article?id={written}', reads: '' },
  { who: 'admin', send: 'DELETE /article/recycle?id={written}', reads: '' },
  { who: 'admin', send: 'DELETE /article/recycle/empty', reads: '' },
  {
    who: 'admin',
    send: 'GET /user/list?page=1&size=10&wd=',
    reads: 'total:number user[].id:number user[].username:string user[].group_id[]:number user[].created_at:time',
  },
  {
    who: 'admin',
    send: 'POST /group',
    body: { title: '资料组', color: '', is_default: false, is_display: true, sort: 0, description: '' },
    reads: 'id:number title:string',
    keeps: { editors: 'id' },
  },
  { who: 'admin', send: 'GET /group?id={editors}', reads: 'id:number title:string' },
  { who: 'admin', send: 'GET /group/list?field=id&field=title', reads: 'group[].id:number group[].title:string' },
  {
    who: 'admin',
    send: 'POST /user',
    body: { username: 'colleague', password: 'a good password', email: '', group_id: ['{editors}'] },
    reads: '',
  },
  {
    who: 'admin',
    send: 'GET /user/list?page=1&size=10&wd=colleague',
    reads: 'total:number user[].id:number user[].group_id[]:number',
    keeps: { colleague: 'user[].id' },
  },
  {
    who: 'admin',
    send: 'PUT /user',
    body: { id: '{colleague}', username: 'colleague', email: '', group_id: ['{editors}'], password: '' },
    reads: '',
  },
  { who: 'admin', send: 'DELETE /user?id={colleague}&password={adminPassword}', reads: '' },
  {
    who: 'admin',
    send: 'GET /permission/list?method=grpc&method=get&method=post&method=put&method=delete',
    reads: 'permission[].id:number permission[].path:string permission[].method:string',
    keeps: { permissionId: 'permission[].id', permission: 'permission[]' },
  },
  { who: 'admin', send: 'GET /permission?id={permissionId}', reads: 'id:number path:string method:string' },
  { who: 'admin', send: 'PUT /permission', sendsBack: 'permission', body: { description: '说明' }, reads: '' },
  {
    who: 'admin',
    send: 'PUT /group/permission',
    body: { group_id: '{editors}', permission_id: ['{permissionId}', 0, -1] },
    reads: '',
  },
  { who: 'admin', send: 'GET /group/permission?id={editors}', reads: 'permission_id[]:number' },
  { who: 'admin', send: 'DELETE /group?id={editors}', reads: '' },
  {
    who: 'admin',
    send: 'POST /punishment',
    body: {
      user_id: ['{newcomerId}'],
      type: [Punishment.NoComment, Punishment.NoUpload],
      enable: true,
      reason: '广告',
      remark: '再犯',
      end_time: '2099-01-01T00:00:00Z',
    },
    reads: '',
  },
  {
    who: 'admin',
    send: 'GET /punishment/list?page=1&size=10',
    reads:
      'total:number punishment[].id:number punishment[].user_id:number punishment[].username:string ' +
      'punishment[].type:number punishment[].enable:boolean punishment[].operators:string ' +
      'punishment[].reason:string punishment[].remark:string punishment[].end_time:time punishment[].created_at:time',
    keeps: { punishmentId: 'punishment[].id', punishment: 'punishment[]' },
  },
  { who: 'admin', send: 'GET /punishment?id={punishmentId}', reads: 'id:number username:string type:number' },
  { who: 'admin', send: 'PUT /punishment', sendsBack: 'punishment', body: { remark: '' }, reads: '' },
  { who: 'admin', send: 'PUT /punishment/cancel', body: { id: ['{punishmentId}'] }, reads: '' },
  {
    who: 'admin',
    send: 'GET /report/list?page=1&size=10&status=0',
    reads:
      'total:number report[].id:number report[].document_title:string report[].username:string report[].reason:number',
    keeps: { report: 'report[].id' },
  },
  { who: 'admin', send: 'PUT /report', body: { id: '{report}', status: true, remark: '已处理' }, reads: '' },
  { who: 'admin', send: 'DELETE /report?id={report}', reads: '' },
  {
    who: 'admin',
    send: 'GET /attachment/list?page=1&size=10',
    reads: 'total:number attachment[].id:number attachment[].name:string attachment[].type_name:string',
    keeps: { attachment: 'attachment[]', attachmentId: 'attachment[].id' },
  },
  { who: 'admin', send: 'GET /attachment?id={attachmentId}', reads: 'id:number name:string enable:boolean' },
  { who: 'admin', send: 'PUT /attachment', sendsBack: 'attachment', body: { description: '说明' }, reads: '' },
  {
    who: 'admin',
    send: 'DELETE /attachment?id={attachmentId}',
    refused: 'attachments.managed',
    reads: refusal,
  },
  {
    who: 'admin',
    send: 'GET /language/list?page=1&size=10',
    reads: 'total:number language[].id:number language[].language:string language[].code:string',
    keeps: { languageId: 'language[].id' },
  },
  { who: 'admin', send: 'PUT /language/status', body: { id: ['{languageId}'], enable: true }, reads: '' },
  {
    who: 'admin',
    send: 'GET /config/list?category=system',
    reads:
      'config[].id:number config[].label:string config[].name:string config[].category:string config[].input_type:string',
    keeps: { configs: '' },
  },
  { who: 'admin', send: 'PUT /config', sendsBack: 'configs', reads: '' },
  {
    who: 'admin',
    send: 'GET /device',
    reads:
      'cpu.cores:number cpu.model_name?:string cpu.mhz?:number cpu.percent?:number memory.total:number ' +
      'memory.available:number memory.used:number memory.free:number memory.percent:number ' +
      'disk[].disk_name:string disk[].total:number disk[].used:number disk[].free:number disk[].percent:number',
  },
  { who: 'admin', send: 'PUT /release/source', body: { source: 'none' }, reads: '' },
  { who: 'admin', send: 'POST /release', reads: 'tag_name:string name:string body:string current:string' },
  {
    who: 'admin',
    send: 'GET /release',
    reads: 'tag_name:string name:string body:string release_at?:time ignore?:string source:string current:string',
    keeps: { release: 'tag_name' },
  },
  { who: 'admin', send: 'PUT /release/ignore', body: { tag_name: '{release}' }, reads: '' },
  { who: 'admin', send: 'GET /envs', reads: 'envs[].name:string envs[].description:string' },
  { who: 'admin', send: 'PUT /sitemap', reads: '' },
  { who: 'admin', send: 'PUT /sqlmode', reads: '' },
]

/** Each has its price, what it was, and what it brings. */
const cards = ['year', 'quarter', 'month']
const cardSettings = { price: 1990, original_price: 2990, download: 10, times_every_day: 20, document_discount: 80 }
const describeCard = (card: string) =>
  Object.keys(cardSettings)
    .map((name) => `vip.${card}_${name}:number`)
    .join(' ')

const order =
  'order_no:string order_type:number product_name:string price:number amount:number status:number created_at:time'
const card = 'times?:number download?:number discount?:number joined_at:time expired_at:time'

/** The mobile client's calls beside those that it shares with the web client. */
const mobile: Call[] = [
  {
    send: 'GET /settings?from=1',
    reads:
      'system.sitename:string system.logo:string system.mp_logo:string system.description:string ' +
      'system.recommend_words[]:string system.credit_name:string system.credit_exchange:number ' +
      'system.show_exchange:boolean system.enable_sms:boolean system.watermark:string security.enable_register:boolean ' +
      'security.enable_verify_register_email?:boolean security.enable_wechatmp_login:boolean ' +
      'security.login_required?:boolean display.pages_per_read:number vip.enable:boolean vip.icon:string ' +
      cards.map(describeCard).join(' ') +
      ' language[].code:string language[].language:string payment.enable_mp_wechatpay?:boolean ' +
      'download.enable_code_download:boolean download.code_tip:string download.free_download_duration:number ' +
      'download.times_every_day:number',
  },
  // Keys that are off are left out, so that each is seen once while it is on.
  ...['enable_verify_register_email', 'login_required'].flatMap((name): Call[] => [
    sets(`security.${name}`, 'true'),
    { send: 'GET /settings?from=1', reads: `security.${name}:boolean` },
    sets(`security.${name}`, 'false'),
  ]),
  { send: 'GET /banner/list?type=1', reads: 'banner[].id:number banner[].path:string banner[].title:string' },
  ...['default', 'latest', 'view', 'recommend', 'favorite', 'download', 'pages'].map((sort): Call => ({
    send: `GET /document/list?sort=${sort}&ext=pdf&category_id={reports}&fee_type=&language=zh-CN&page=1&size=10`,
    reads: `total:number ${listedDocument}`,
  })),
  { send: 'GET /document/list?sort=recommend&fee_type=charge&page=1&size=10', reads: `total:number ${listedDocument}` },
  { send: 'GET /document?id={document}&with_author=true', reads: document },
  { send: 'GET /document/exist?id={document}', reads: 'exist:boolean id:number uuid:string' },
  { send: 'GET /document/exist?id=0&uuid={uuid}', reads: 'exist:boolean id:number uuid:string' },
  { send: 'GET /document/exist?hash=d41d8cd98f00b204e9800998ecf8427e', reads: 'exist?:boolean' },
  {
    who: 'member',
    send: 'GET /user/rewarded/opportunities',
    reads: 'enable:boolean download_times?:number credit_times:number credit_count:number',
    afterwards: () => site.advanceClock(60_000),
  },
  { who: 'member', send: 'PUT /user/rewarded/credit', body: { adunit_id: 'adunit-1' }, reads: '' },
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
  // The address is absolute where a domain is set, else relative; both are followed as they are.
  { who: 'member', send: 'GET /document/download?id={sold}', reads: 'url:string', keeps: { address: 'url' } },
  { send: 'GET {address}', gives: 'application/octet-stream' },
  sets('system.domain', ''),
  { who: 'member', send: 'GET /document/download?id={sold}', reads: 'url:string', keeps: { address: 'url' } },
  { send: 'GET {address}', gives: 'application/octet-stream' },
  {
    who: 'admin',
    send: 'PUT /config',
    body: { config: [{ category: 'system', name: 'domain', value: '{domain}' }] },
    reads: '',
  },
  // The other ways of paying that the client offers without a gateway.
  {
    who: 'admin',
    send: 'POST /downloadcode',
    body: { kind: DownloadCodeKind.AnyDocument, count: 1 },
    reads: 'code[]:string',
    keeps: { downloadCode: 'code[]' },
  },
  {
    who: 'member',
    send: 'POST /order',
    body: { order_type: OrderType.Document, product_id: '{coded}' },
    reads: 'order_no:string status:number',
    keeps: { codeOrder: 'order_no' },
  },
  {
    who: 'member',
    send: 'POST /order/pay',
    body: { order_no: '{codeOrder}', payment_type: PaymentMethod.Advertisement },
    refused: 'orders.methodDenied',
    reads: refusal,
  },
  {
    who: 'member',
    send: 'POST /order/pay',
    body: { order_no: '{codeOrder}', payment_type: PaymentMethod.DownloadCode, downcode: 'not a code' },
    refused: 'codes.mistyped',
    reads: refusal,
  },
  {
    who: 'member',
    send: 'POST /order/pay',
    body: { order_no: '{codeOrder}', payment_type: PaymentMethod.DownloadCode, downcode: '{downloadCode}' },
    reads: '',
  },
  { who: 'member', send: 'GET /order?order_no={codeOrder}', reads: `${order} payment_type:number paid_at:time` },
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
    who: 'admin',
    send: 'GET /uservip/list?page=1&size=10',
    reads:
      'total:number user_vip[].id:number user_vip[].user_id:number user_vip[].username:string user_vip[].type:number ' +
      'user_vip[].joined_at:time user_vip[].expired_at:time user_vip[].order_no:string',
  },
  {
    who: 'admin',
    send: 'POST /order/system/recharge',
    body: { user_id: '{member}', amount: 100, remark: '活动' },
    reads: 'order_no:string',
  },
  { who: 'admin', send: 'PUT /document/vip', body: { id: '{file}', is_vip: true }, reads: '' },
  { send: 'GET /document?id={file}&with_author=true', reads: 'is_vip:boolean' },
  {
    send: 'GET /document/list?sort=default&fee_type=vip&page=1&size=10',
    reads: `total:number ${listedDocument} document[].is_vip:boolean`,
  },
  { who: 'member', send: 'GET /document/download/vip?id={file}', reads: 'url:string' },
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
  // A code by sms, and what it opens.
  {
    send: 'POST /sms',
    body: { mobile: mobiles.registering, type: CodeScene.Register, ...noCaptcha },
    reads: 'is_registered:boolean',
    afterwards: readSms(mobiles.registering),
  },
  {
    send: 'POST /user/register/mobile',
    body: { mobile: mobiles.registering, code: '{smsCode}', password: 'a good password' },
    reads: 'token:string user.id:number user.username:string',
  },
  {
    send: 'POST /sms',
    body: { mobile: mobiles.loggingIn, type: CodeScene.Login, ...noCaptcha },
    reads: 'is_registered:boolean',
    afterwards: readSms(mobiles.loggingIn),
  },
  {
    send: 'POST /user/login/mobile',
    body: { mobile: mobiles.loggingIn, code: '{smsCode}' },
    reads: 'token:string user.id:number user.username:string',
    afterwards: () => site.advanceClock(60_000),
  },
  {
    send: 'POST /sms',
    body: { mobile: mobiles.registering, type: CodeScene.FindPassword, ...noCaptcha },
    reads: 'is_registered:boolean',
    afterwards: readSms(mobiles.registering),
  },
  {
    send: 'POST /user/findpassword/mobile',
    body: { mobile: mobiles.registering, code: '{smsCode}', password: 'a better password' },
    reads: '',
  },
  // Accounts of other sites.
  {
    send: 'GET /oauth/configs',
    reads: '[].type:string [].title:string [].icon?:string [].authorize_url?:string',
  },
  {
    send: 'POST /oauth/login',
    body: { type: 'github', code: 'of no login', state: 'of no login' },
    refused: 'oauth.stateWrong',
    reads: refusal,
  },
  {
    send: 'POST /oauth/wechatmp/login',
    body: { code: '{miniProgramCode}', iv: '', encrypted_data: '' },
    reads: 'oauth.oauth_type:string oauth.openid:string oauth.session:string',
    keeps: { unbound: 'oauth' },
  },
  { who: 'member', send: 'POST /oauth/bind', sendsBack: 'unbound', reads: '' },
  { who: 'member', send: 'POST /oauth/bind', sendsBack: 'unbound', refused: 'oauth.ticketWrong', reads: refusal },
  {
    send: 'POST /oauth/wechatmp/login',
    body: { code: '{nextMiniProgramCode}', iv: '', encrypted_data: '' },
    reads: 'token:string user.id:number user.username:string',
  },
  { who: 'member', send: 'GET /user/oauth', reads: 'oauth[].type:string oauth[].title:string' },
  { who: 'member', send: 'DELETE /user/oauth?type=wechatmp', reads: '' },
  { who: 'member', send: 'GET /user', reads: `${publicUser} is_vip:boolean credit_count:number` },
]

beforeAll(async () => {
  site = await openDocumentSite()
  mailbox = await openMailbox()
  smsServer = await openSmsServer(aliyunProtocol, (await site.app.context()).now)
  vendors = await startVendors('http://localhost')
  await site.configure({
    ...mailbox.settings,
    ...smsServer.settings,
    ...vendors.settings,
    'pay.enable_advertisement': 'true',
    'security.enable_captcha_login': 'false',
    'security.enable_captcha_register': 'false',
    'security.enable_captcha_comment': 'false',
    'vip.enable': 'true',
    'score.sign_in': '1',
    'system.logo': '/uploads/logo.png',
    'miniprogram.mp_logo': '/uploads/mini.png',
    'system.description': '找资料，来文豆',
    'system.recommend_words': '论文,简历',
    'score.show_exchange': 'true',
    'system.enable_watermark': 'true',
    'system.watermark': '内部资料',
    'download.enable_code_download': 'true',
    'download.code_tip': '<b>扫码</b>领取',
    'download.free_download_duration': '30',
    'vip.icon': '/uploads/vip.png',
    ...Object.fromEntries(
      cards.flatMap((card) =>
        Object.entries(cardSettings).map(([name, value]) => [`vip.${card}_${name}`, String(value)]),
      ),
    ),
  })
  world.domain = (await site.app.context()).settings.system.domain
  const [member, author, leaver] = [await site.member('reader'), await site.author(), await site.member()]
  Object.assign(people, { member, author, leaver, admin: site.root })
  await add('/order/system/recharge', { user_id: member.id, amount: 100_000, remark: '活动' })
  const category = await site.category('报告')
  const articles = await site.category('资讯', { type: ContentType.Article })
  const common = {
    owner: author,
    category: [category],
    language: 'zh-CN',
    keywords: '年报,财务',
    texts: ['年度报告的正文'],
  }
  const [shown = 0, alike = 0] = await site.addDocuments(
    { ...common, title: '年度报告', description: '一年的工作', recommend_at: 1 },
    { ...common, title: '年度总结' },
  )
  const { id: sold } = await storeDocument(site, {
    owner: author,
    title: '年度报告（完整版）',
    price: 10,
    categories: [category],
  })
  const { id: coded } = await storeDocument(site, { owner: author, title: '用下载码购买', price: 10 })
  await site.db.updateTable('document').set({ keywords: '年度' }).where('keywords', '=', '').execute()
  const { uuid } = await site.db.selectFrom('document').select('uuid').where('id', '=', shown).executeTakeFirstOrThrow()
  await indexEntries(await site.app.context(), documentIndexer, [shown, alike])
  const article = { author, category: [articles], keywords: '年度', content: '<p>年度文章的正文</p>', recommend_at: 1 }
  const articleIds = await addArticles(
    site,
    { ...article, title: '年度文章', identifier: 'yearly' },
    { ...article, title: '年度文章续', identifier: 'yearly-2' },
  )
  await indexEntries(await site.app.context(), articleIndexer, articleIds)
  const [articleId] = articleIds
  await add('/friendlink', { title: '朋友', link: 'https://friend.example.com', enable: true })
  const banner = { title: '横幅', path: '/uploads/banner/a.png', url: '/', enable: true }
  for (const type of [BannerType.Website, BannerType.MiniProgram]) await add('/banner', { ...banner, type })
  const advertisement = { title: '广告', position: 'global_top', content: '<p>广告</p>', enable: true }
  await add('/advertisement', advertisement)
  const { id: file } = await storeDocument(site, { owner: author, title: '可以下载' })
  const names = {
    category,
    reports: category,
    articles,
    document: shown,
    sold,
    coded,
    uuid,
    identifier: 'yearly',
    newcomer: 'newcomer',
  }
  Object.assign(world, names, { author: author.id, member: member.id, memberName: member.username, file, articleId })
  Object.assign(world, { leaverPassword: leaver.password, adminPassword: site.root.password })
  world.miniProgramCode = vendors.miniProgram.giveCode(vendors.person)
  world.nextMiniProgramCode = vendors.miniProgram.giveCode(vendors.person)
})
afterAll(async () => {
  await site.close()
  await Promise.all([mailbox.close(), smsServer.close(), vendors.close()])
})

describe.each([
  ['the web client', web, 'Bearer'],
  ['the mobile client', mobile, 'bearer'],
] as const)('%s', (_client, calls, scheme) => {
  test.each(calls.map((call) => [`${call.send}${call.who ? `, ${call.who}` : ''}`, call] as const))(
    '%s',
    async (_name, call) => {
      const { status, headers, text, json } = await send(call, scheme)
      // What an answer has under these names is no refusal.
      const { reason, message }: ResponseSnapshot['json'] = status === 200 ? {} : json
      expect({ status, reason, message }).toEqual(
        call.refused
          ? { status: call.status ?? status, reason: call.refused, message: expect.any(String) }
          : { status: 200 },
      )
      if (call.gives) {
        expect(headers.get('content-type')).toBe(call.gives)
        expect(text.length).toBeGreaterThan(0)
      }
      const missing = (call.reads ?? '')
        .split(' ')
        .filter(Boolean)
        .flatMap((field) => findProblem(json, field))
      expect(missing).toEqual([])
      for (const [name, key] of Object.entries(call.keeps ?? {})) world[name] = valuesAt(json, key)[0]
      await call.afterwards?.()
    },
  )
})

async function send(call: Call, scheme: string): Promise<ResponseSnapshot> {
  const [method = '', path = ''] = fill(call.send).split(' ')
  const address = /^(?:https?:|\/view\/|\/download\/)/.test(path) ? path : `/api/v1${path}`
  const token = people[call.who ?? 'visitor']?.token
  const headers: Record<string, string> = token ? { authorization: `${scheme} ${token}` } : {}
  if (!call.file) return site.send(method, address, { headers, body: bodyOf(call) })
  const form = new FormData()
  form.append('file', new File([new Uint8Array(call.file.bytes)], call.file.name))
  const response = await site.request(address, { method, headers, body: form })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: JSON.parse(text) as ResponseSnapshot['json'],
  }
}

/** Keeps the code that was sent to a number, for the next call. */
function readSms(mobile: string): () => void {
  return () => {
    world.smsCode = smsServer.codeFor(mobile)
  }
}

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
    const found = name === '' ? values : values.map((value) => (value as Record<string, unknown> | undefined)?.[name])
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
  if (typeof value === 'object' && value !== null) return fillKeys(value as Record<string, unknown>)
  const name = typeof value === 'string' ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined
  return name === undefined ? value : world[name]
}
