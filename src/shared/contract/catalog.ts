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
  ids,
  listInput,
  many,
  none,
  or,
  page,
  text,
  unsetTime,
} from '../fields.ts'

const stamps = { created_at: unsetTime, updated_at: unsetTime }

/** Rows of one list in their new order; rows that are not named keep their positions. */
const inOrder = byIds

export const Category = z.object({
  id,
  parent_id: or(count(), 0),
  /** When creating, each line is a category. */
  title: text(64, 1),
  icon: or(href, ''),
  cover: or(href, ''),
  description: or(text(2000), ''),
  show_description: or(flag, false),
  doc_count: count(),
  sort: or(z.int(), 0),
  enable: or(flag, false),
  type: or(code(ContentType), ContentType.Document),
  ...stamps,
})
export type Category = z.output<typeof Category>

const CategoryForm = z.omit(Category, { id: true, doc_count: true, created_at: true, updated_at: true })

export const categories = {
  list: get('/category/list', {
    summary: '分类列表：type 为 0 是文档，1 是文章',
    access: 'public',
    shared: true,
    input: listInput({ parent_id: many(count()), enable: many(flag), type: many(code(ContentType)) }),
    reply: page('category', Category),
  }),
  get: get('/category', {
    summary: '查看分类',
    access: permission('CategoryAPI/GetCategory'),
    input: byId,
    reply: Category,
  }),
  create: post('/category', {
    summary: '新增分类；标题可以有多行，每行一个分类，已有的跳过',
    access: permission('CategoryAPI/CreateCategory'),
    input: z.extend(CategoryForm, { title: text(5000, 1) }),
    reply: none,
  }),
  update: put('/category', {
    summary: '修改分类；换了上级时，其中的文档随之归入新的上级',
    access: permission('CategoryAPI/UpdateCategory'),
    input: z.extend(CategoryForm, { id }),
    reply: none,
  }),
  patch: patch('/category', {
    summary: '启用或停用分类',
    access: permission('CategoryAPI/UpdateCategory'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/category', {
    summary: '删除没有内容的分类和它的空下级',
    access: permission('CategoryAPI/DeleteCategory'),
    input: byIds,
    reply: none,
  }),
  sort: put('/category/sort', {
    summary: '调整同级分类的顺序',
    access: permission('CategoryAPI/UpdateCategory'),
    input: inOrder,
    reply: none,
  }),
}

const Language = z.object({
  id,
  language: text(64, 1),
  code: z
    .string('请输入语言代码')
    .check(z.trim(), z.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, '语言代码如 zh-CN、en'), z.maxLength(16)),
  enable: or(flag, false),
  total: count(),
  sort: or(z.int(), 0),
  ...stamps,
})

const LanguageForm = z.omit(Language, { id: true, total: true, created_at: true, updated_at: true })

export const languages = {
  list: get('/language/list', {
    summary: '语言列表',
    access: 'public',
    shared: true,
    input: listInput({ enable: many(flag) }),
    reply: page('language', Language),
  }),
  create: post('/language', {
    summary: '新增语言',
    access: permission('LanguageAPI/CreateLanguage'),
    input: LanguageForm,
    reply: Language,
  }),
  update: put('/language', {
    summary: '修改语言；代码不能改',
    access: permission('LanguageAPI/UpdateLanguage'),
    input: z.extend(z.omit(LanguageForm, { code: true }), { id }),
    reply: none,
  }),
  setStatus: put('/language/status', {
    summary: '启用或停用语言',
    access: permission('LanguageAPI/UpdateLanguageStatus'),
    input: z.object({ id: ids, enable: or(flag, false) }),
    reply: none,
  }),
  delete: del('/language', {
    summary: '删除语言',
    access: permission('LanguageAPI/DeleteLanguage'),
    input: byIds,
    reply: none,
  }),
}
