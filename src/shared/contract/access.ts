import * as z from 'zod/mini'
import { del, get, patch, permission, post, put } from '../endpoint.ts'
import { Punishment as PunishmentCode } from '../enums.ts'
import {
  byId,
  byIds,
  code,
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
  time,
  unsetTime,
} from '../fields.ts'
import { Group } from './group.ts'

const GroupForm = z.omit(Group, { id: true, user_count: true, created_at: true, updated_at: true })

export const groups = {
  create: post('/group', {
    summary: '新增用户组',
    access: permission('GroupAPI/CreateGroup'),
    proof: 'enrolled',
    input: GroupForm,
    reply: Group,
  }),
  copy: post('/group/copy', {
    summary: '复制用户组，连同它的权限',
    access: permission('GroupAPI/CreateGroup'),
    proof: 'enrolled',
    input: z.object({ id, title: text(64, 1) }),
    reply: Group,
  }),
  addReadyMade: post('/group/readymade', {
    summary: '添加现成的用户组；已有的不变',
    access: 'administrator',
    proof: 'enrolled',
    input: none,
    reply: none,
  }),
  update: put('/group', {
    summary: '修改用户组',
    access: permission('GroupAPI/UpdateGroup'),
    proof: 'enrolled',
    input: z.extend(GroupForm, { id }),
    reply: none,
  }),
  patch: patch('/group', {
    summary: '在用户资料中显示或隐藏用户组',
    access: permission('GroupAPI/UpdateGroup'),
    input: z.object({ id, is_display: flag }),
    reply: none,
  }),
  delete: del('/group', {
    summary: '删除用户组',
    access: permission('GroupAPI/DeleteGroup'),
    proof: 'enrolled',
    input: byIds,
    reply: none,
  }),
  get: get('/group', { summary: '查看用户组', access: 'public', input: byId, reply: Group }),
  list: get('/group/list', {
    summary: '用户组列表',
    access: 'public',
    input: listInput({}),
    reply: page('group', Group),
  }),
  permissions: get('/group/permission', {
    summary: '用户组的权限',
    access: permission('GroupAPI/GetGroupPermission'),
    input: byId,
    reply: z.object({ permission_id: z.array(id) }),
  }),
  setPermissions: put('/group/permission', {
    summary: '设置用户组的权限',
    access: permission('GroupAPI/UpdateGroupPermission'),
    proof: 'enrolled',
    input: z.object({ group_id: id, permission_id: many(z.int()) }),
    reply: none,
  }),
}

const Permission = z.object({
  id,
  method: z.string(),
  path: z.string(),
  title: or(text(255), ''),
  description: or(text(255), ''),
  created_at: unsetTime,
  updated_at: unsetTime,
})

export const permissions = {
  list: get('/permission/list', {
    summary: '权限列表',
    access: permission('PermissionAPI/ListPermission'),
    input: listInput({ method: many(text(16)), path: or(text(128), ''), area: many(text(64)) }),
    reply: page('permission', Permission),
  }),
  get: get('/permission', {
    summary: '查看权限',
    access: permission('PermissionAPI/GetPermission'),
    input: byId,
    reply: Permission,
  }),
  update: put('/permission', {
    summary: '修改权限的名称和说明',
    access: permission('PermissionAPI/UpdatePermission'),
    input: z.pick(Permission, { id: true, title: true, description: true }),
    reply: none,
  }),
}

const punishmentKind = code(PunishmentCode, '处罚类型不正确')

const Punishment = z.object({
  id,
  user_id: id,
  username: z.string(),
  type: punishmentKind,
  enable: or(flag, false),
  reason: or(text(2000), ''),
  remark: or(text(2000), ''),
  operators: z.string(),
  end_time: or(unsetTime, null),
  created_at: unsetTime,
  updated_at: unsetTime,
})

export const punishments = {
  create: post('/punishment', {
    summary: '新增处罚：每个用户和每种类型各一条',
    access: permission('PunishmentAPI/CreatePunishment'),
    input: z.object({
      user_id: ids,
      type: z.array(punishmentKind).check(z.minLength(1, '请选择处罚类型'), z.maxLength(6)),
      enable: or(flag, false),
      reason: or(text(2000), ''),
      remark: or(text(2000), ''),
      end_time: z.optional(z.nullable(time)),
    }),
    reply: none,
  }),
  update: put('/punishment', {
    summary: '修改处罚',
    access: permission('PunishmentAPI/UpdatePunishment'),
    input: z.pick(Punishment, { id: true, type: true, enable: true, reason: true, remark: true, end_time: true }),
    reply: none,
  }),
  get: get('/punishment', {
    summary: '查看处罚',
    access: permission('PunishmentAPI/GetPunishment'),
    input: byId,
    reply: Punishment,
  }),
  list: get('/punishment/list', {
    summary: '处罚列表',
    access: permission('PunishmentAPI/ListPunishment'),
    input: listInput({ type: many(punishmentKind), enable: many(flag), user_id: many(id), created_at: period }),
    reply: page('punishment', Punishment),
  }),
  cancel: put('/punishment/cancel', {
    summary: '取消处罚',
    access: permission('PunishmentAPI/CancelPunishment'),
    input: byIds,
    reply: none,
  }),
}
