import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { ContentType, ReviewStatus } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  count,
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
import { Contributor, queueInput, ReviewQueue } from './review.ts'
import { PublicUser } from './user.ts'

const stamps = { created_at: unsetTime, updated_at: unsetTime }

export const maxCommentLength = 1000

export const Comment = z.object({
  id,
  type: code(ContentType),
  /** Of the document or article. */
  document_id: count(),
  document_title: z.string(),
  /** A document's uuid or an article's identifier. */
  document_uuid: z.string(),
  /** The comment that it replies to, or 0. */
  parent_id: count(),
  /** Plain text. */
  content: z.string(),
  status: code(ReviewStatus),
  /** For the staff. */
  reject_reason: z.string(),
  /** Deleted; it is only listed because it has replies. */
  is_deleted: flag,
  /** Visible replies. */
  comment_count: count(),
  user_id: count(),
  user: PublicUser,
  ip: z.string(),
  ...stamps,
})
export type Comment = z.output<typeof Comment>

const Thread = z.extend(Comment, {
  /** The latest replies of the thread, oldest first; a reply to a reply has that as its parent. */
  reply: z.array(Comment),
})
export type Thread = z.output<typeof Thread>

const content = text(maxCommentLength, 1)

export const comments = {
  create: post('/comment', {
    summary: '发表评论或回复',
    access: 'member',
    input: z.object({
      document_id: id,
      type: or(code(ContentType), ContentType.Document),
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
    input: z.object({ id, content, status: z.optional(code(ReviewStatus)) }),
    reply: none,
  }),
  delete: del('/comment', {
    summary: '删除评论',
    access: 'member',
    staffMayActForOthers: true,
    input: byIds,
    reply: none,
  }),
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
      status: many(code(ReviewStatus)),
      type: many(code(ContentType)),
      with_document_title: or(flag, false),
      created_at: period,
    }),
    reply: page('comment', Comment),
  }),
  threads: get('/comment/thread', {
    summary: '一篇文档或文章的评论，连同回复；自己待审核的也在内',
    access: 'public',
    input: z.object({
      document_id: id,
      type: or(code(ContentType), ContentType.Document),
      page: or(z.int(), 1),
      size: or(z.int(), 20),
      /** latest, oldest. */
      order: or(text(16), ''),
    }),
    reply: z.object({
      /** Threads. */
      total: count(),
      /** Comments and replies visible to everyone. */
      shown: count(),
      comment: z.array(Thread),
    }),
  }),
  review: post('/comment/check', {
    summary: '审核评论：0 待审核，1 通过，2 不通过',
    access: permission('CommentAPI/CheckComment'),
    input: z.object({
      id: ids,
      status: code(ReviewStatus),
      reason: or(text(500), ''),
      /** Refuses the change of comments that have got another status since the reviewer saw them; empty for any. */
      from: many(code(ReviewStatus)),
    }),
    reply: none,
  }),
  reviewQueue: get('/comment/check/list', {
    summary: '待审核评论的编号，最早的在前',
    access: permission('CommentAPI/CheckComment'),
    input: queueInput,
    reply: ReviewQueue,
  }),
  reviewItem: get('/comment/check', {
    summary: '审核一条评论所需：评论、它所在的讨论、作者的记录',
    access: permission('CommentAPI/CheckComment'),
    input: byId,
    /** The thread with what was said before and after it, the oldest first. */
    reply: z.object({ comment: Comment, thread: z.array(Comment), contributor: Contributor }),
  }),
}
