import { expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { isRequired, toRule } from '#web/admin/engine/forms/validation.ts'

const { users, groups, punishments, articles } = contract

test.each<[string, Endpoint, string, unknown, string | undefined]>([
  ['an empty title', groups.create, 'title', '', '不能为空'],
  ['a title', groups.create, 'title', '编辑', undefined],
  ['an emptied number', groups.create, 'sort', null, undefined],
  ['text that is no e-mail address', users.create, 'email', 'name', '请输入正确的邮箱地址'],
  ['an omitted e-mail', users.create, 'email', '', undefined],
  ['no group', users.create, 'group_id', [], '请至少选择一项'],
  ['no type, for which the schema has no message', punishments.update, 'type', undefined, '请选择此项'],
  ['no end', punishments.create, 'end_time', null, undefined],
])('a form gives the message of the endpoint for %s', async (_name, endpoint, key, value, expected) => {
  const rule = toRule(endpoint, { key, label: '此项', control: <></> })
  const message = await rule.validator(undefined, value).then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(message).toBe(expected)
})

test('a field can be required even where the endpoint takes it empty', async () => {
  const reason = { key: 'reject_reason', label: '原因', empty: '', control: <></> }
  expect(isRequired(articles.review, reason)).toBe(false)
  const required = { ...reason, required: true }
  expect(isRequired(articles.review, required)).toBe(true)
  await expect(toRule(articles.review, required).validator(undefined, '  ')).rejects.toThrow('请填写原因')
  await toRule(articles.review, required).validator(undefined, '没有注明出处')
})
