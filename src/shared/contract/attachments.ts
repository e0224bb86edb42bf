import * as z from 'zod/mini'
import { del, get, patch, permission, post, put } from '../endpoint.ts'
import { AttachmentType } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  count,
  flag,
  id,
  listInput,
  many,
  none,
  or,
  page,
  period,
  text,
  unsetTime,
} from '../fields.ts'

const Attachment = z.object({
  id,
  hash: z.string(),
  user_id: count(),
  username: z.string(),
  type: code(AttachmentType),
  type_name: z.string(),
  type_id: count(),
  path: z.string(),
  name: z.string(),
  size: count(Number.MAX_SAFE_INTEGER),
  width: count(),
  height: count(),
  ext: z.string(),
  ip: z.string(),
  enable: flag,
  description: z.string(),
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type Attachment = z.output<typeof Attachment>

export const attachments = {
  list: get('/attachment/list', {
    summary: '附件列表',
    access: permission('AttachmentAPI/ListAttachment'),
    input: listInput({
      enable: many(flag),
      user_id: many(id),
      type: many(code(AttachmentType)),
      ext: or(text(32), ''),
      created_at: period,
    }),
    reply: page('attachment', Attachment),
  }),
  get: get('/attachment', {
    summary: '查看附件',
    access: permission('AttachmentAPI/GetAttachment'),
    input: byId,
    reply: Attachment,
  }),
  update: put('/attachment', {
    summary: '修改附件；停用后，内容相同的文件不能再上传',
    access: permission('AttachmentAPI/UpdateAttachment'),
    input: z.object({ id, name: text(255, 1), enable: or(flag, false), description: or(text(255), '') }),
    reply: none,
  }),
  patch: patch('/attachment', {
    summary: '启用或停用附件',
    access: permission('AttachmentAPI/UpdateAttachment'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/attachment', {
    summary: '附件由系统管理，删除总是被拒绝',
    access: 'staff',
    input: byIds,
    reply: none,
  }),
}

const sha256 = z.string('缺少文件校验值').check(z.regex(/^[0-9a-f]{64}$/, '文件校验值不正确'))

/** Uploads without their bytes, which are sent by tus (`/upload/tus`) or multipart (`/upload/document`). */
/** A header of the last response of a resumable upload: the id that `uploads.result` would give. */
export const attachmentHeader = 'attachment-id'

export const uploads = {
  challenge: post('/upload/document/challenge', {
    summary: '秒传第一步：给出文件的 SHA-256，得到须用文件内容回答的问题；无论文件是否已有都会出题',
    access: 'member',
    input: z.object({
      hash: sha256,
      size: count(Number.MAX_SAFE_INTEGER),
      name: text(255, 1),
      /** Whose file it is to replace: of one that cannot be converted, it takes nothing of the daily quota. */
      document_id: or(count(), 0),
    }),
    reply: z.object({
      challenge: z.string(),
      nonce: z.string(),
      /** `end` is exclusive. */
      range: z.array(z.object({ start: count(Number.MAX_SAFE_INTEGER), end: count(Number.MAX_SAFE_INTEGER) })),
    }),
  }),
  claim: post('/upload/document/claim', {
    summary: '秒传第二步：proof 为 SHA-256(nonce 接各段内容) 的十六进制；id 为 0 表示须上传',
    access: 'member',
    input: z.object({ challenge: text(1000, 1), proof: sha256 }),
    reply: z.object({ id: count() }),
  }),
  result: get('/upload/document/result', {
    summary: '断点续传完成后得到附件编号',
    access: 'member',
    input: z.object({ upload: text(100, 1) }),
    reply: z.object({ id: count() }),
  }),
}
