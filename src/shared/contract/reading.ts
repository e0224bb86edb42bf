import * as z from 'zod/mini'
import { del, get, post, put } from '../endpoint.ts'
import { HighlightColor } from '../enums.ts'
import { byIds, code, count, file, flag, id, listInput, none, or, page, text, time, unsetTime } from '../fields.ts'

/** Reading across devices: places, bookmarks and notes. Each member has their own alone. */

/** Of places that are sent at once: what a browser keeps of visitors. */
const maxPlaces = 200

const maxPages = 1_000_000
const pageNumber = z.int('页码必须是整数').check(z.gte(1, '页码从 1 开始'), z.lte(maxPages, '没有这一页'))
/** How much of the page lies above the screen, in thousandths. */
const pageOffset = count(1000)

const Place = z.object({
  uuid: text(64, 1),
  page: pageNumber,
  page_offset: or(pageOffset, 0),
  /** The furthest page that this device knows of: the member may have gone back since. */
  furthest_page: or(count(maxPages), 0),
  /** By the clock of the device; of two places the later one counts, whenever it arrives. */
  read_at: time,
})

/** Fields of the document that a row is about. */
const ofDocument = {
  document_id: id,
  /** Empty when the member may not see it any more: then there is nothing to link to. */
  document_uuid: z.string(),
  /** Its title, or what the member last saw of it. */
  title: z.string(),
  /** It was deleted, or hidden from the member. */
  is_gone: flag,
}

const HistoryItem = z.object({
  id,
  ...ofDocument,
  cover: z.string(),
  ext: z.string(),
  pages: count(),
  page: count(),
  page_offset: pageOffset,
  furthest_page: count(),
  finished_at: unsetTime,
  read_at: time,
})
export type HistoryItem = z.output<typeof HistoryItem>

export const historyStates = ['reading', 'finished'] as const

export const reading = {
  progress: get('/reading/progress', {
    summary: '我在一份文档里读到的位置；没有时为空',
    access: 'member',
    input: z.object({ uuid: text(64, 1) }),
    reply: z.object({
      page: count(),
      page_offset: pageOffset,
      furthest_page: count(),
      finished_at: unsetTime,
      read_at: unsetTime,
    }),
  }),
  save: put('/reading/progress', {
    summary: '记下读到的位置，可以一次给出多份文档；较早的位置不会覆盖较晚的，看不到的文档略过',
    access: 'member',
    bodyLimit: 128 * 1024,
    input: z.object({
      place: z.array(Place).check(z.minLength(1, '请至少给出一个位置'), z.maxLength(maxPlaces, '一次最多 200 个位置')),
    }),
    reply: z.object({
      /** False while the member has paused the recording. */
      is_recorded: flag,
    }),
  }),
  finish: put('/reading/finished', {
    summary: '把文档标为已读完，或取消',
    access: 'member',
    input: z.object({ document_id: id, is_finished: flag }),
    reply: none,
  }),
  history: get('/reading/history', {
    summary: '我的阅读记录，最近读的在前；state 只要在读的或已读完的',
    access: 'member',
    input: listInput({ state: or(z.union([z.literal(''), z.enum(historyStates)]), '') }),
    reply: page('history', HistoryItem),
  }),
  delete: del('/reading/history', { summary: '删除阅读记录', access: 'member', input: byIds, reply: none }),
  clear: del('/reading/history/all', { summary: '清空阅读记录', access: 'member', input: none, reply: none }),
  recording: get('/reading/recording', {
    summary: '是否记录我读过什么',
    access: 'member',
    input: none,
    reply: z.object({ is_paused: flag }),
  }),
  setRecording: put('/reading/recording', {
    summary: '暂停或继续记录',
    access: 'member',
    input: z.object({ is_paused: flag }),
    reply: none,
  }),
}

const Bookmark = z.object({ id, ...ofDocument, page: count(), label: z.string(), created_at: time })
export type Bookmark = z.output<typeof Bookmark>

export const noteLimits = { quote: 5000, note: 5000, label: 100 }

const label = text(noteLimits.label)

export const bookmarks = {
  create: post('/reading/bookmark', {
    summary: '在一页加书签；已经有时答复原来的',
    access: 'member',
    input: z.object({ document_id: id, page: pageNumber, label: or(label, '') }),
    reply: Bookmark,
  }),
  update: put('/reading/bookmark', {
    summary: '修改书签的名称',
    access: 'member',
    input: z.object({ id, label: or(label, '') }),
    reply: none,
  }),
  delete: del('/reading/bookmark', { summary: '删除书签', access: 'member', input: byIds, reply: none }),
  list: get('/reading/bookmark/list', {
    summary: '我的书签，按文档和页码；document_id 只要一份文档的',
    access: 'member',
    input: listInput({ document_id: or(count(), 0) }),
    reply: page('bookmark', Bookmark),
  }),
}

/** A range in the lines of the page's text layer; the end is not included. */
const range = { start_line: count(), start_char: count(), end_line: count(), end_char: count() }

const Annotation = z.object({
  id,
  ...ofDocument,
  page: count(),
  ...range,
  quote: z.string(),
  color: code(HighlightColor),
  note: z.string(),
  created_at: time,
  updated_at: time,
})
export type Annotation = z.output<typeof Annotation>

const note = text(noteLimits.note)

export const annotations = {
  create: post('/reading/annotation', {
    summary: '高亮一段文字，可以带笔记；只有自己看得到',
    access: 'member',
    input: z.object({
      document_id: id,
      page: pageNumber,
      ...range,
      quote: text(noteLimits.quote, 1),
      color: or(code(HighlightColor), HighlightColor.Yellow),
      note: or(note, ''),
    }),
    reply: Annotation,
  }),
  update: put('/reading/annotation', {
    summary: '修改高亮的颜色和笔记',
    access: 'member',
    input: z.object({ id, color: code(HighlightColor), note: or(note, '') }),
    reply: none,
  }),
  delete: del('/reading/annotation', { summary: '删除高亮和笔记', access: 'member', input: byIds, reply: none }),
  list: get('/reading/annotation/list', {
    summary: '我的高亮和笔记，按文档和页码；wd 搜索原文、笔记和标题',
    access: 'member',
    input: listInput({ document_id: or(count(), 0) }),
    reply: page('annotation', Annotation),
  }),
  export: get('/reading/annotation/export', {
    summary: '把一份文档或全部文档的笔记和书签导出为 Markdown 文件',
    access: 'member',
    input: z.object({ document_id: or(count(), 0) }),
    reply: file,
  }),
}
