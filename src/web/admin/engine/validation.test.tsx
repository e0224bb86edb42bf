import { expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { ruleOf } from '#web/admin/engine/validation.ts'

const { users, groups, punishments } = contract

test.each<[string, Endpoint, string, unknown, string | undefined]>([
  ['an empty title', groups.create, 'title', '', '不能为空'],
  ['a title', groups.create, 'title', '编辑', undefined],
  ['an emptied number', groups.create, 'sort', null, undefined],
  ['no e-mail address', users.create, 'email', 'nobody', '请输入正确的邮箱地址'],
  ['an e-mail left out', users.create, 'email', '', undefined],
  ['no group', users.create, 'group_id', [], '请至少选择一项'],
  ['no kind, for which the schema has no words', punishments.update, 'type', undefined, '请填写此项'],
  ['no end', punishments.create, 'end_time', null, undefined],
])('a form says of %s what the endpoint would', async (_name, endpoint, key, value, problem) => {
  const rule = ruleOf(endpoint, { key, label: '此项', control: <></> })
  const said = await rule.validator(undefined, value).then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(said).toBe(problem)
})
