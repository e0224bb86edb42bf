import { expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { findProblems } from '#web/lib/form.ts'

const password = {
  initial: { old_password: '', new_password: '', repeat: '' },
  schema: users.password.input,
  required: { old_password: '请输入原密码', new_password: '请输入新密码', repeat: '请再次输入新密码' },
  check: (values: { new_password: string; repeat: string }) =>
    values.new_password === values.repeat ? {} : { repeat: '新密码与确认密码不一致' },
}

test.each([
  [
    'nothing filled in',
    { old_password: '', new_password: '', repeat: '' },
    { old_password: '请输入原密码', new_password: '请输入新密码', repeat: '请再次输入新密码' },
  ],
  [
    'a short password',
    { old_password: 'a', new_password: '12345', repeat: '12345' },
    { new_password: '密码至少 8 个字符' },
  ],
  [
    'two passwords',
    { old_password: 'a', new_password: '12345678', repeat: '123457' },
    { repeat: '新密码与确认密码不一致' },
  ],
  ['all well', { old_password: 'a', new_password: '12345678', repeat: '12345678' }, {}],
])('password form with %s', (_name, values, problems) => {
  expect(findProblems(password, values)).toEqual(problems)
})

test('a field that may stay empty is only checked when filled in', () => {
  const form = { initial: { email: '', realname: '' }, schema: users.profile.input }
  expect(findProblems(form, { email: '', realname: '' })).toEqual({})
  expect(findProblems(form, { email: 'x', realname: '' })).toEqual({ email: '请输入正确的邮箱地址' })
})
