import * as z from 'zod/mini'
import { del, get, patch, permission, post, put } from '../endpoint.ts'
import { AnnouncementAudience } from '../enums.ts'
import { byId, byIds, code, count, flag, id, listInput, many, none, or, page, text, unsetTime } from '../fields.ts'

const Announcement = z.object({
  id,
  title: text(100, 1),
  /** Plain text, or simple HTML. */
  content: or(text(20_000), ''),
  audience: or(code(AnnouncementAudience), AnnouncementAudience.Everyone),
  /** For the audience of groups. */
  group_id: many(id),
  enable: or(flag, false),
  start_time: or(unsetTime, null),
  end_time: or(unsetTime, null),
  user_id: count(),
  created_at: unsetTime,
  updated_at: unsetTime,
})

const AnnouncementForm = z.omit(Announcement, { id: true, user_id: true, created_at: true, updated_at: true })

const PublishedAnnouncement = z.object({
  id,
  title: z.string(),
  /** When it was published: its start, or when it was written. */
  published_at: unsetTime,
  /** The end of its schedule has passed: it is shown in the archive alone. */
  is_over: flag,
})
export type PublishedAnnouncement = z.output<typeof PublishedAnnouncement>

const AnnouncementPage = z.extend(PublishedAnnouncement, {
  /** Sanitized. */
  html: z.string(),
})
export type AnnouncementPage = z.output<typeof AnnouncementPage>

export const announcements = {
  current: get('/announcement/current', {
    summary: '正在展示、对访问者开放的公告，新的在前；running 是正在展示的总数，包括对其他人的',
    access: 'public',
    shared: true,
    input: none,
    reply: z.object({ announcement: z.array(PublishedAnnouncement), running: count() }),
  }),
  published: get('/announcement/published', {
    summary: '对访问者开放的公告，包括已经结束的，新的在前',
    access: 'public',
    shared: true,
    input: listInput({}),
    reply: page('announcement', PublishedAnnouncement),
  }),
  read: get('/announcement/read', {
    summary: '阅读公告',
    access: 'public',
    input: byId,
    reply: AnnouncementPage,
  }),
  list: get('/announcement/list', {
    summary: '公告列表，用于管理',
    access: permission('AnnouncementAPI/ListAnnouncement'),
    input: listInput({ enable: many(flag), audience: many(code(AnnouncementAudience)) }),
    reply: page('announcement', Announcement),
  }),
  get: get('/announcement', {
    summary: '查看公告，用于管理',
    access: permission('AnnouncementAPI/GetAnnouncement'),
    input: byId,
    reply: Announcement,
  }),
  create: post('/announcement', {
    summary: '新增公告',
    access: permission('AnnouncementAPI/CreateAnnouncement'),
    bodyLimit: 128 * 1024,
    input: AnnouncementForm,
    reply: Announcement,
  }),
  update: put('/announcement', {
    summary: '修改公告',
    access: permission('AnnouncementAPI/UpdateAnnouncement'),
    bodyLimit: 128 * 1024,
    input: z.extend(AnnouncementForm, { id }),
    reply: none,
  }),
  patch: patch('/announcement', {
    summary: '启用或停用公告',
    access: permission('AnnouncementAPI/UpdateAnnouncement'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/announcement', {
    summary: '删除公告',
    access: permission('AnnouncementAPI/DeleteAnnouncement'),
    input: byIds,
    reply: none,
  }),
}
