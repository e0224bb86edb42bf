import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { captchaPurposes, CodeScene, RecordStatus, signInScenes } from '../enums.ts'
import {
  byIds,
  code,
  count,
  email,
  flag,
  id,
  ids,
  listInput,
  many,
  mobile,
  none,
  or,
  page,
  period,
  password,
  text,
  unsetTime,
} from '../fields.ts'
import { currentUser } from './current-user.ts'
import { SignedIn, User } from './user.ts'

const username = text(32, 3)
/** As a profile shows it, or whole; the server checks its digits. */
const identity = z
  .string()
  .check(z.trim(), z.regex(/^([\d*]{15}|[\d*]{17}[\dXx*]|\*{6}|)$/, '请输入正确的 18 位身份证号'))
const captcha = { captcha: or(text(16), ''), captcha_id: or(text(64), '') }

export const users = {
  ...currentUser,
  register: post('/user/register', {
    summary: '注册',
    access: 'open',
    input: z.object({ username, password, email, code: or(text(16), ''), ...captcha }),
    reply: SignedIn,
  }),
  login: post('/user/login', {
    summary: '用户名、已验证的邮箱或已绑定的手机号，加密码登录',
    access: 'open',
    input: z.object({ username: text(64, 1), password: z.string().check(z.maxLength(128)), ...captcha }),
    reply: SignedIn,
  }),
  list: get('/user/list', {
    summary: '用户列表',
    access: 'public',
    input: listInput({
      sort: or(text(200), ''),
      id: many(id),
      group_id: many(id),
      status: many(code(RecordStatus)),
      limit: or(z.int(), 0),
      created_at: period,
    }),
    reply: page('user', User),
  }),
  create: post('/user', {
    summary: '新增用户',
    access: permission('UserAPI/AddUser'),
    proof: 'enrolled',
    input: z.object({ username, password, email: or(z.union([email, z.literal('')]), ''), group_id: ids }),
    reply: none,
  }),
  set: put('/user', {
    summary: '设置用户组，可同时重设密码',
    access: permission('UserAPI/SetUser'),
    proof: 'enrolled',
    /** With `sets_end` the memberships end at `member_until`, or never; without it those that stay keep their ends. */
    input: z.object({
      id,
      group_id: ids,
      password: or(z.union([password, z.literal('')]), ''),
      sets_end: z.optional(flag),
      member_until: or(unsetTime, null),
    }),
    reply: none,
  }),
  trust: put('/user/trust', {
    summary: '信任作者，或取消信任：受信任的作者发布的文档、文章和评论不用审核',
    access: permission('DocumentAPI/CheckDocument'),
    input: z.object({ id, is_trusted: flag }),
    reply: none,
  }),
  delete: del('/user', {
    summary: '删除用户；password 为操作者自己的密码',
    access: permission('UserAPI/DeleteUser'),
    proof: 'enrolled',
    input: z.object({ id: ids, password: z.string().check(z.maxLength(128)) }),
    reply: none,
  }),
  handOver: put('/user/owner', {
    summary: '移交网站：对方成为站长；password 为操作者自己的密码',
    access: 'root',
    proof: 'enrolled',
    input: z.object({ id, password: z.string().check(z.maxLength(128)) }),
    reply: none,
  }),
  profile: put('/user/profile', {
    summary: '修改资料',
    access: 'member',
    staffMayActForOthers: true,
    input: z.object({
      id: or(count(), 0),
      username: z.optional(text(64)),
      email: z.optional(z.union([email, z.literal('')])),
      mobile: z.optional(z.union([mobile, z.literal('')])),
      realname: or(text(20), ''),
      identity: or(identity, ''),
      address: or(text(255), ''),
      signature: or(text(255), ''),
      avatar: z.optional(z.string().check(z.regex(/^(\/uploads\/(?!.*\.\.)[\w./-]{1,240}|)$/, '请上传头像图片'))),
      remark: z.optional(text(255)),
    }),
    reply: none,
  }),
  password: put('/user/password', {
    summary: '修改密码；修改他人的密码需要权限',
    access: 'self',
    proof: 'enrolled',
    staffMayActForOthers: true,
    input: z.object({
      id: or(count(), 0),
      old_password: or(z.string().check(z.maxLength(128)), ''),
      new_password: password,
    }),
    reply: none,
  }),
  captcha: get('/user/captcha', {
    summary: '验证码',
    access: 'open',
    input: z.object({ type: z.enum(captchaPurposes, '不支持的验证码类型') }),
    reply: z.object({ enable: flag, id: z.string(), captcha: z.string(), type: z.string() }),
  }),
  canUploadDocument: get('/user/caniuploaddocument', {
    summary: '我能否上传文档',
    access: 'member',
    input: none,
    reply: none,
  }),
  canPublishArticle: get('/user/canipublisharticle', {
    summary: '我能否发布文章',
    access: 'member',
    input: none,
    reply: none,
  }),
  emailCode: post('/user/email/code', {
    summary: '发送注册、登录或找回密码的邮箱验证码',
    access: 'open',
    input: z.object({ email, type: or(code(signInScenes), CodeScene.Register), ...captcha }),
    reply: none,
  }),
  requestPasswordReset: post('/user/findpassword/stepone', {
    summary: '找回密码第一步：发送重置邮件',
    access: 'open',
    input: z.object({ email, ...captcha }),
    reply: none,
  }),
  resetPassword: put('/user/findpassword/steptwo', {
    summary: '找回密码第二步：设置新密码',
    access: 'open',
    input: z.object({ email, token: text(1000, 1), password, ...captcha }),
    reply: none,
  }),
}

export const sessions = {
  list: get('/user/session/list', {
    summary: '我登录的设备',
    access: 'self',
    input: none,
    reply: z.object({
      session: z.array(
        z.object({
          id,
          ip: z.string(),
          /** In words; an address where there is nothing better to say. */
          place: z.string(),
          user_agent: z.string(),
          /** How the member logged in, and with which second factor; empty for sessions of earlier versions. */
          way: z.string(),
          factor: z.string(),
          current: flag,
          created_at: unsetTime,
          seen_at: unsetTime,
        }),
      ),
    }),
  }),
  endOthers: del('/user/session/others', {
    summary: '让其他设备都退出登录',
    access: 'self',
    input: none,
    reply: none,
  }),
  end: del('/user/session', { summary: '让某个设备退出登录', access: 'self', input: byIds, reply: none }),
}
