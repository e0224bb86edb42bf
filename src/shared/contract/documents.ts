import * as z from 'zod/mini'
import { DocumentStatus } from '../document-status.ts'
import { del, get, permission, post, put } from '../endpoint.ts'
import { RecommendAction, Visibility } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  count,
  few,
  file,
  flag,
  id,
  ids,
  listInput,
  many,
  none,
  or,
  page,
  period,
  text,
  unsetTime,
} from '../fields.ts'
import { rankingOrderNames, rankingPeriodNames } from '../ranking.ts'
import { contentSource, contentSourceInput } from './content-source.ts'
import { searchWords } from './marked-text.ts'
import { Contributor, queueInput, ReviewQueue } from './review.ts'
import { PublicUser } from './user.ts'

/** `with_all_content` returns no more than an edit may send back. */
export const maxContentLength = 1_000_000

/** More hits in a spreadsheet are not listed. */
export const maxFoundCells = 1000

/** Beside its pages: reflowed text, and the cells of a spreadsheet. */
const documentViews = ['text', 'table'] as const
export type DocumentView = (typeof documentViews)[number]

const bytes = count(Number.MAX_SAFE_INTEGER)
const status = code(DocumentStatus)
const stamps = { created_at: unsetTime, updated_at: unsetTime }

const DocumentCategory = z.object({ id, title: z.string(), parent_id: count() })

export const Document = z.object({
  id,
  uuid: z.string(),
  title: z.string(),
  keywords: z.string(),
  description: z.string(),
  content: z.string(),
  language: z.string(),
  price: count(),
  /** VIP members take it free within their card's number. */
  is_vip: flag,
  ext: z.string(),
  size: bytes,
  status,
  /** Why it cannot be shown, or why it was rejected: for its owner and the staff. */
  convert_error: z.string(),
  convert_detail: z.string(),
  reject_reason: z.string(),
  visibility: code(Visibility),
  /** The groups it is for: for its owner and the staff. */
  group_id: z.array(id),
  /** Otherwise it can only be read online. */
  downloadable: flag,
  ...contentSource,
  user_id: count(),
  username: z.string(),
  user_is_vip: flag,
  user: z.nullable(PublicUser),
  /** In points, of the first page; never 0. */
  width: count(),
  height: count(),
  pages: count(),
  /** How many pages can be read online. */
  preview: count(),
  preview_ext: z.string(),
  enable_gzip: flag,
  /** `/view/cover/{key}`; empty while there is none. */
  cover: z.string(),
  /** The main colour of the cover as #rrggbb; empty for one without colours. */
  cover_tint: z.string(),
  /** `hash` is the key of all page images of this document: `/view/page/{hash}/{page}.svg`. */
  attachment: z.object({ id: count(), hash: z.string() }),
  category_id: z.array(id),
  category: z.array(DocumentCategory),
  view_count: count(),
  download_count: count(),
  favorite_count: count(),
  comment_count: count(),
  /** 0 to 500. */
  score: count(500),
  score_count: count(),
  /** How many other public documents have the same content: lists show them as this one. */
  copies: count(),
  recommend_at: unsetTime,
  deleted_at: unsetTime,
  deleted_user_id: count(),
  deleted_username: z.string(),
  ...stamps,
})
export type Document = z.output<typeof Document>

export const documentFilters = {
  category_id: few(id),
  user_id: few(id),
  status: few(status),
  /** For staff and owners. */
  visibility: few(code(Visibility)),
  is_recommend: few(flag),
  limit: or(z.int(), 0),
  ext: or(text(16), ''),
  created_at: period,
  fee_type: or(text(16), ''),
  language: few(text(16)),
  /** For staff: whether their format cannot be shown online. */
  is_unpreviewable: few(flag),
}

const facts = {
  title: text(255, 1),
  keywords: or(text(255), ''),
  description: or(text(1024), ''),
  price: or(count(1_000_000), 0),
  /** A language code, or the name that clients show for it. */
  language: or(text(64), ''),
}

/** Groups count only with `Visibility.Groups`. */
const audience = { visibility: code(Visibility), group_id: many(id), downloadable: flag }

const newDocuments = {
  category_id: many(id),
  ...audience,
  visibility: or(audience.visibility, Visibility.Public),
  downloadable: or(audience.downloadable, true),
  /** Content that the owner has published before is published too; otherwise nothing is, and `duplicate` names it. */
  again: or(flag, true),
  document: z
    .array(z.object({ ...facts, title: or(text(255), ''), attachment_id: id }))
    .check(z.minLength(1, '请至少选择一个文件'), z.maxLength(100, '一次最多发布 100 个文件')),
}
const publishedDocuments = z.object({
  document: z.array(z.object({ id, uuid: z.string(), status, attachment_id: id })),
  duplicate: z.array(z.object({ id, uuid: z.string(), title: z.string(), attachment_id: id })),
})

const either = z.object({ id: or(z.int(), 0), uuid: or(text(64), '') })

const Progress = z.object({
  id,
  uuid: z.string(),
  status,
  pages: count(),
  preview: count(),
  /** Pages of the early preview, while the document is still being converted. */
  first: count(),
  /** Pages whose text is extracted. */
  read: count(),
  cover: z.string(),
  hash: z.string(),
  convert_error: z.string(),
})
export type Progress = z.output<typeof Progress>

export const documents = {
  home: get('/document/home', {
    summary: '首页：每个一级分类的最新文档，一共最多 100 份',
    access: 'public',
    shared: true,
    /** `most` limits the number of categories, to those with documents; 0 means all. */
    input: z.object({ limit: or(z.int(), 5), most: or(count(100), 0), field: many(text(64)) }),
    reply: z.object({
      document: z.array(
        z.object({
          category_id: id,
          category_cover: z.string(),
          category_name: z.string(),
          document: z.array(Document),
        }),
      ),
    }),
  }),
  list: get('/document/list', {
    summary: '文档列表',
    access: 'public',
    shared: true,
    input: listInput(documentFilters),
    reply: page('document', Document),
  }),
  find: get('/document/find', {
    summary: '在一份文档里查找；带 page 时给出该页上的位置',
    access: 'public',
    input: z.extend(either, { wd: searchWords, page: or(z.int(), 0) }),
    reply: z.object({
      /** Every page of the preview with hits, in order. */
      page: z.array(z.object({ page: count(), hits: count() })),
      /** 1 if pages outside the preview repeat what was found in it, else 0: not how often. */
      beyond: count(),
      /** On the requested page: line, start and end in the line, and the index of the hit that the mark is part of. */
      mark: z.array(z.array(count())),
    }),
  }),
  findCells: get('/document/table/find', {
    summary: '在电子表格的所有工作表里查找',
    access: 'public',
    input: z.extend(either, { wd: searchWords }),
    reply: z.object({
      /** Sheet, row and column of each cell, as the table's index counts them, in order. */
      cell: z.array(z.array(count())),
      has_more: flag,
    }),
  }),
  get: get('/document', {
    summary: '文档；with_author 带作者并计一次浏览',
    access: 'public',
    input: z.extend(either, { with_author: or(flag, false), with_all_content: or(flag, false) }),
    reply: Document,
  }),
  exists: get('/document/exist', {
    summary: '文档是否存在并可以看到；不按文件内容回答，已有的文件用秒传确认',
    access: 'public',
    input: either,
    reply: z.object({ exist: flag, id: count(), uuid: z.string() }),
  }),
  layout: get('/document/plan', {
    summary: '可预览各页的大小和目录',
    access: 'public',
    input: either,
    reply: z.object({
      pages: count(),
      preview: count(),
      /** Runs of consecutive pages of the same size, in points. */
      size: z.array(z.object({ width: count(), height: count(), count: count() })),
      outline: z.array(z.object({ title: z.string(), page: count(), level: count() })),
      /** Forms in which the document can be read beside its pages. */
      views: z.array(z.enum(documentViews)),
      /** What all pages leave empty at each edge, as fractions of their width and height; left out if not known. */
      crop: z.optional(z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })),
    }),
  }),
  miniProgramCode: get('/document/wxacode', {
    summary: '在小程序里打开文档的小程序码，用于分享',
    access: 'public',
    input: byId,
    reply: file,
  }),
  progress: get('/document/progress', {
    summary: '转换进度；wait 秒之内有变化（与 known 不同）才答复',
    access: 'public',
    input: z.object({ id: ids, wait: or(count(25), 0), known: or(text(2000), '') }),
    reply: z.object({
      /** Passed back as `known`, it makes the next request wait for a change. */
      known: z.string(),
      document: z.array(Progress),
    }),
  }),
  related: get('/document/related', {
    summary: '相关文档；没有给出文档时没有',
    access: 'public',
    shared: true,
    input: z.object({ id: or(count(), 0) }),
    reply: z.object({ document: z.array(Document) }),
  }),
  ranking: get('/document/ranking', {
    summary: '排行：一段时间里阅读、下载或收藏最多的文档；ranking_count 是这段时间的次数，网站不显示次数时为 0',
    access: 'public',
    shared: true,
    input: z.object({
      by: or(z.enum(rankingOrderNames), 'read'),
      period: or(z.enum(rankingPeriodNames), 'week'),
      limit: or(count(50), 0),
    }),
    reply: z.object({ document: z.array(z.extend(Document, { ranking_count: count() })) }),
  }),
  beingRead: get('/document/reading', {
    summary:
      '大家在读：近 7 天里作者以外至少两位用户读过的公开文档，人多的在前；reader_count 是人数，网站不显示浏览次数时为 0',
    access: 'public',
    shared: true,
    input: none,
    reply: z.object({ document: z.array(z.extend(Document, { reader_count: count() })) }),
  }),
  activeAuthors: get('/document/authors', {
    summary: '近来发布公开文档最多的用户；days 为 0 时是总数，因为近来发布的人太少',
    access: 'public',
    shared: true,
    input: none,
    reply: z.object({
      days: count(),
      author: z.array(z.object({ id, username: z.string(), avatar: z.string(), is_vip: flag, count: count() })),
    }),
  }),
  create: post('/document', {
    summary: '发布已上传的文件',
    access: 'member',
    bodyLimit: 1024 * 1024,
    input: z.object(newDocuments),
    reply: publishedDocuments,
  }),
  createFor: post('/document/owner', {
    summary: '代他人发布已上传的文件',
    access: permission('DocumentAPI/UpdateDocument'),
    bodyLimit: 1024 * 1024,
    input: z.object({ ...newDocuments, user_id: id }),
    reply: publishedDocuments,
  }),
  uploadAllowance: get('/document/upload/allowance', {
    summary: '上传能得到多少积分，今天还能上传多少',
    access: 'member',
    input: none,
    reply: z.object({
      /** For each public document; 0 for nothing. */
      reward: count(),
      /** How many more are rewarded today. */
      rewards_left: count(),
      /** Files left today; -1 for any number. */
      files_left: z.int(),
      /** Bytes left today; -1 for any number. */
      bytes_left: z.int(),
      /** Whether this member's documents wait for approval. */
      is_reviewed: flag,
    }),
  }),
  update: put('/document', {
    summary: '修改文档；status 和来源只有管理人员能改',
    access: 'member',
    bodyLimit: 8 * 1024 * 1024,
    staffMayActForOthers: true,
    input: z.object({
      id,
      ...facts,
      category_id: many(id),
      content: or(z.string().check(z.maxLength(maxContentLength, `正文最多 ${maxContentLength} 个字符`)), ''),
      status: z.optional(status),
      /** Without it, visibility and groups stay as they are. */
      visibility: z.optional(audience.visibility),
      group_id: audience.group_id,
      downloadable: z.optional(audience.downloadable),
      ...contentSourceInput,
    }),
    reply: none,
  }),
  setVisibility: put('/document/visibility', {
    summary: '批量修改可见范围',
    access: 'member',
    staffMayActForOthers: true,
    input: z.object({ id: ids, ...audience, downloadable: z.optional(audience.downloadable) }),
    reply: none,
  }),
  delete: del('/document', {
    summary: '删除文档到回收站',
    access: 'member',
    staffMayActForOthers: true,
    input: byIds,
    reply: none,
  }),
  review: put('/document/check', {
    summary: '审核文档：0 通过，2 启用，4 禁用，6 待审核，7 不通过',
    access: permission('DocumentAPI/CheckDocument'),
    /**
     * `from` refuses the change of documents that have got another status since the reviewer saw them, `attachment_id` of
     * those that have got another file; empty for any.
     */
    input: z.object({ id: ids, status, reason: or(text(500), ''), from: many(status), attachment_id: many(count()) }),
    reply: none,
  }),
  reviewQueue: get('/document/check/list', {
    summary: '待审核文档的编号，最早的在前',
    access: permission('DocumentAPI/CheckDocument'),
    input: queueInput,
    reply: ReviewQueue,
  }),
  reviewItem: get('/document/check', {
    summary: '审核一份文档所需：文档、内容相同的其他文档、上传者的记录',
    access: permission('DocumentAPI/CheckDocument'),
    input: byId,
    reply: z.object({
      document: Document,
      /** Documents with the same content: those that were refused first, then the latest. */
      duplicate: z.array(
        z.object({ id, uuid: z.string(), title: z.string(), status, username: z.string(), reason: z.string() }),
      ),
      /** Staff have switched off an attachment with this content: it cannot be uploaded any more. */
      is_banned: flag,
      contributor: Contributor,
    }),
  }),
  recommend: put('/document/recommend', {
    summary: '推荐文档：0 取消，1 推荐，2 重新推荐',
    access: permission('DocumentAPI/SetDocumentRecommend'),
    input: z.object({ id: ids, type: or(code(RecommendAction), RecommendAction.Withdraw) }),
    reply: none,
  }),
  reconvert: put('/document/reconvert', {
    summary: '重新转换：不给编号时为全部转换失败的文档',
    access: permission('DocumentAPI/SetDocumentReconvert'),
    input: z.object({ id: many(id) }),
    reply: none,
  }),
  setCategory: put('/document/category', {
    summary: '批量修改分类',
    access: permission('DocumentAPI/SetDocumentsCategory'),
    input: z.object({ document_id: ids, category_id: ids }),
    reply: none,
  }),
  setLanguage: put('/document/language', {
    summary: '批量修改语言',
    access: permission('DocumentAPI/SetDocumentsLanguage'),
    input: z.object({ document_id: ids, language: text(64, 1) }),
    reply: none,
  }),
  setPrice: put('/document/price', {
    summary: '批量修改价格',
    access: permission('DocumentAPI/UpdateDocument'),
    input: z.object({ id: ids, price: count(1_000_000) }),
    reply: none,
  }),
  setVip: put('/document/vip', {
    summary: '批量标记或取消 VIP 文档',
    access: permission('DocumentAPI/SetDocumentsVip'),
    input: z.object({ id: ids, is_vip: flag }),
    reply: none,
  }),
  setOwner: put('/document/owner', {
    summary: '更换文档的上传者',
    access: permission('DocumentAPI/UpdateDocument'),
    input: z.object({ document_id: ids, user_id: id }),
    reply: none,
  }),
  rate: post('/document/score', {
    summary: '评分：100 到 500，每人一次',
    access: 'member',
    input: z.object({
      document_id: id,
      score: z.int('请选择评分').check(z.gte(100, '评分至少一星'), z.lte(500, '评分最多五星')),
    }),
    reply: none,
  }),
  ownRating: get('/document/score', {
    summary: '我的评分',
    access: 'member',
    input: z.object({ document_id: id }),
    reply: z.object({ id: count(), document_id: count(), user_id: count(), score: count(500), ...stamps }),
  }),
}

export const documentRecycle = {
  list: get('/document/recycle', {
    summary: '文档回收站',
    access: permission('RecycleAPI/ListRecycleDocument'),
    input: listInput(documentFilters),
    reply: page('document', Document),
  }),
  restore: put('/document/recycle', {
    summary: '恢复文档',
    access: permission('RecycleAPI/RecoverRecycleDocument'),
    input: byIds,
    reply: none,
  }),
  delete: del('/document/recycle', {
    summary: '彻底删除文档',
    access: permission('RecycleAPI/DeleteRecycleDocument'),
    input: byIds,
    reply: none,
  }),
  empty: del('/document/recycle/all', {
    summary: '清空文档回收站',
    access: permission('RecycleAPI/ClearRecycleDocument'),
    input: none,
    reply: none,
  }),
}
