import * as z from 'zod/mini'
import { del, get, permission } from '../endpoint.ts'
import { byIds, count, id, listInput, many, none, or, page, text, unsetTime } from '../fields.ts'

/** However long a question is, it is taken; no more of it is looked for than this. */
export const longestQuestion = 64
export const words = or(z.string('请输入文字').check(z.maxLength(20_000, '搜索的内容太长')), '')

/** From and up to, as indices of the text that they belong to. */
const Range = z.array(count())
export const Marked = z.object({ text: z.string(), ranges: z.array(Range) })
export type Marked = z.output<typeof Marked>

const SearchRecord = z.object({
  id,
  user_id: count(),
  username: z.string(),
  ip: z.string(),
  keywords: z.string(),
  total: count(),
  page: count(),
  /** In seconds. */
  spend_time: z.number(),
  user_agent: z.string(),
  created_at: unsetTime,
  updated_at: unsetTime,
})

/** `id` is that of the last time. */
const MissedWord = z.object({ id, keywords: z.string(), times: count(), last_at: unsetTime })

const Suggestion = z.object({
  ...Marked.shape,
  /** Of a document, which can be opened at once; empty for words to look for. */
  uuid: z.string(),
  ext: z.string(),
})
export type Suggestion = z.output<typeof Suggestion>

export const searches = {
  suggest: get('/search/suggest', {
    summary: '搜索建议：标题、别人搜过的词，也认拼音和首字母',
    access: 'public',
    input: z.object({ wd: words, type: or(count(1), 0) }),
    reply: z.object({ suggestion: z.array(Suggestion) }),
  }),
  hot: get('/search/hot', {
    summary: '热门搜索词',
    access: 'public',
    input: none,
    reply: z.object({ word: z.array(z.string()) }),
  }),
}

export const searchRecords = {
  list: get('/searchrecord/list', {
    summary: '搜索记录',
    access: permission('SearchRecordAPI/ListSearchRecord'),
    input: listInput({ keywords: or(text(64), ''), ip: or(text(64), ''), user_id: many(id) }),
    reply: page('search_record', SearchRecord),
  }),
  missed: get('/searchrecord/missed', {
    summary: '没有搜到结果的词，次数多的在前',
    access: permission('SearchRecordAPI/ListSearchRecord'),
    input: listInput({ keywords: or(text(64), '') }),
    reply: page('word', MissedWord),
  }),
  delete: del('/searchrecord', {
    summary: '删除搜索记录',
    access: permission('SearchRecordAPI/DeleteSearchRecord'),
    input: byIds,
    reply: none,
  }),
}
