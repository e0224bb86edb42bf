import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { byId, byIds, count, flag, id, ids, listInput, many, none, or, page, text, unsetTime } from '../fields.ts'
import { PublicUser } from './users.ts'

/** 0 documents, 1 articles. */
const type = count(1)
const stamps = { created_at: unsetTime, updated_at: unsetTime }
const bytes = count(Number.MAX_SAFE_INTEGER)

export const longestComment = 1000

export const Comment = z.object({
  id,
  type,
  /** Of the document or article. */
  document_id: count(),
  document_title: z.string(),
  /** A document's uuid or an article's identifier. */
  document_uuid: z.string(),
  /** The comment that it answers; 0 when it answers none. */
  parent_id: count(),
  /** Text, never markup. */
  content: z.string(),
  /** 0 waits for review, 1 is shown, 2 was rejected. */
  status: count(2),
  /** It was deleted; it stands there only because others have answered it. */
  is_deleted: flag,
  /** How many answers are shown. */
  comment_count: count(),
  user_id: count(),
  user: PublicUser,
  ip: z.string(),
  ...stamps,
})
export type Comment = z.output<typeof Comment>

const Thread = z.extend(Comment, {
  /** The latest answers below it, the oldest of these first; those to another answer name it as their parent. */
  reply: z.array(Comment),
})
export type Thread = z.output<typeof Thread>

const content = text(longestComment, 1)

export const comments = {
  create: post('/comment', {
    summary: '发表评论或回复',
    access: 'member',
    input: z.object({
      document_id: id,
      type: or(type, 0),
      parent_id: or(count(), 0),
      content,
      captcha: or(text(16), ''),
      captcha_id: or(text(64), ''),
    }),
    reply: Comment,
  }),
  update: put('/comment', {
    summary: '修改评论',
    access: permission('CommentAPI/UpdateComment'),
    input: z.object({ id, content, status: z.optional(count(2)) }),
    reply: none,
  }),
  delete: del('/comment', { summary: '删除评论', access: 'member', input: byIds, reply: none }),
  get: get('/comment', {
    summary: '查看评论',
    access: permission('CommentAPI/GetComment'),
    input: byId,
    reply: Comment,
  }),
  list: get('/comment/list', {
    summary: '评论列表；给出 document_id 时为该文档或文章的全部评论',
    access: 'public',
    input: listInput({
      document_id: or(count(), 0),
      user_id: or(count(), 0),
      parent_id: many(count()),
      status: many(count(2)),
      type: many(type),
      with_document_title: or(flag, false),
    }),
    reply: page('comment', Comment),
  }),
  threads: get('/comment/thread', {
    summary: '一篇文档或文章的评论，连同回复；自己待审核的也在内',
    access: 'public',
    input: z.object({
      document_id: id,
      type: or(type, 0),
      page: or(z.int(), 1),
      size: or(z.int(), 20),
      /** latest, oldest. */
      order: or(text(16), ''),
    }),
    reply: z.object({
      /** Threads. */
      total: count(),
      /** Comments and answers that everybody sees. */
      shown: count(),
      comment: z.array(Thread),
    }),
  }),
  check: post('/comment/check', {
    summary: '审核评论：0 待审核，1 通过，2 不通过',
    access: permission('CommentAPI/CheckComment'),
    input: z.object({ id: ids, status: count(2) }),
    reply: none,
  }),
}

const Favorite = z.object({ id: count(), user_id: count(), document_id: count(), type, ...stamps })
const FavoriteItem = z.extend(Favorite, {
  title: z.string(),
  /** A document's uuid or an article's identifier. */
  document_uuid: z.string(),
  ext: z.string(),
  score: count(500),
  size: bytes,
  pages: count(),
  cover: z.string(),
})

export const favorites = {
  create: post('/favorite', {
    summary: '收藏',
    access: 'member',
    input: z.object({ document_id: id, type: or(type, 0) }),
    reply: Favorite,
  }),
  delete: del('/favorite', { summary: '取消收藏', access: 'member', input: byIds, reply: none }),
  get: get('/favorite', {
    summary: '我是否收藏了它；没有时为空',
    access: 'member',
    input: z.object({ document_id: id, type: or(type, 0) }),
    reply: Favorite,
  }),
  list: get('/favorite/list', {
    summary: '我的收藏',
    access: 'member',
    input: listInput({ type: or(type, 0) }),
    reply: page('favorite', FavoriteItem),
  }),
}

const Report = z.object({
  id,
  document_id: count(),
  document_title: z.string(),
  document_uuid: z.string(),
  user_id: count(),
  username: z.string(),
  reason: count(6),
  /** Handled. */
  status: flag,
  remark: z.string(),
  ...stamps,
})

export const reports = {
  create: post('/report', {
    summary: '举报文档，每人每份一次',
    access: 'member',
    input: z.object({
      document_id: id,
      reason: z.int('请选择举报原因').check(z.gte(1, '请选择举报原因'), z.lte(6, '请选择举报原因')),
    }),
    reply: none,
  }),
  list: get('/report/list', {
    summary: '举报列表',
    access: permission('ReportAPI/ListReport'),
    input: listInput({ status: many(flag) }),
    reply: page('report', Report),
  }),
  update: put('/report', {
    summary: '处理举报',
    access: permission('ReportAPI/UpdateReport'),
    input: z.object({ id, status: or(flag, false), remark: or(text(255), '') }),
    reply: none,
  }),
  delete: del('/report', {
    summary: '删除举报',
    access: permission('ReportAPI/DeleteReport'),
    input: byIds,
    reply: none,
  }),
}
