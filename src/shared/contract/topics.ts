import * as z from 'zod/mini'
import { del, get, patch, permission, post, put } from '../endpoint.ts'
import { ContentType } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  count,
  flag,
  href,
  id,
  listInput,
  many,
  none,
  or,
  page,
  text,
  unsetTime,
} from '../fields.ts'
import { Article } from './articles.ts'
import { Document } from './documents.ts'

export const maxTopicEntries = 100

/** A document or an article in a topic. */
const TopicEntry = z.object({
  type: code(ContentType),
  id,
  /** What the editor says about it. */
  note: or(text(300), ''),
})
export type TopicEntry = z.output<typeof TopicEntry>

const Topic = z.object({
  id,
  title: text(60, 1),
  summary: or(text(500), ''),
  cover: or(href, ''),
  enable: or(flag, false),
  /** In the editor's order. */
  entries: or(z.array(TopicEntry).check(z.maxLength(maxTopicEntries, `一个专题最多收 ${maxTopicEntries} 项`)), []),
  sort: z.int(),
  created_at: unsetTime,
  updated_at: unsetTime,
})

const TopicForm = z.omit(Topic, { id: true, sort: true, created_at: true, updated_at: true })

const PublishedTopic = z.object({
  id,
  title: z.string(),
  summary: z.string(),
  cover: z.string(),
  /** How many of its entries the viewer may see. */
  count: count(),
  updated_at: unsetTime,
})
export type PublishedTopic = z.output<typeof PublishedTopic>

/** Exactly one of the two is there. */
const PublishedEntry = z.object({
  note: z.string(),
  document: z.nullable(Document),
  article: z.nullable(Article),
})
export type PublishedEntry = z.output<typeof PublishedEntry>

const Candidate = z.object({ type: code(ContentType), id, title: z.string(), is_public: flag })
export type TopicCandidate = z.output<typeof Candidate>

export const topics = {
  published: get('/topic/published', {
    summary: '已发布的专题，按编辑排定的顺序；没有封面图的，附最前面的几份文档',
    access: 'public',
    shared: true,
    input: listInput({}),
    reply: page('topic', z.extend(PublishedTopic, { document: z.array(Document) })),
  }),
  read: get('/topic/read', {
    summary: '一个专题和其中访问者能看的文档、文章',
    access: 'public',
    input: byId,
    reply: z.extend(PublishedTopic, { entries: z.array(PublishedEntry) }),
  }),
  list: get('/topic/list', {
    summary: '专题列表，用于管理',
    access: permission('TopicAPI/ListTopic'),
    input: listInput({ enable: many(flag) }),
    reply: page('topic', Topic),
  }),
  get: get('/topic', {
    summary: '查看专题，用于管理',
    access: permission('TopicAPI/ListTopic'),
    input: byId,
    reply: Topic,
  }),
  candidates: get('/topic/candidates', {
    summary: '可以收进专题的文档和文章：按标题或网址找，或按编号查标题',
    access: permission('TopicAPI/ListTopic'),
    input: z.object({ wd: or(text(300), ''), document_id: many(id), article_id: many(id) }),
    reply: z.object({ candidate: z.array(Candidate) }),
  }),
  create: post('/topic', {
    summary: '新增专题',
    access: permission('TopicAPI/CreateTopic'),
    bodyLimit: 128 * 1024,
    input: TopicForm,
    reply: Topic,
  }),
  update: put('/topic', {
    summary: '修改专题',
    access: permission('TopicAPI/UpdateTopic'),
    bodyLimit: 128 * 1024,
    input: z.extend(TopicForm, { id }),
    reply: none,
  }),
  patch: patch('/topic', {
    summary: '发布或收回专题',
    access: permission('TopicAPI/UpdateTopic'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/topic', {
    summary: '删除专题；其中的文档和文章不受影响',
    access: permission('TopicAPI/DeleteTopic'),
    input: byIds,
    reply: none,
  }),
  sort: put('/topic/sort', {
    summary: '调整专题的顺序',
    access: permission('TopicAPI/UpdateTopic'),
    input: byIds,
    reply: none,
  }),
}
