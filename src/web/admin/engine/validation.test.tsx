import { expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { isRequired, ruleOf } from '#web/admin/engine/validation.ts'

const { users, groups, punishments, articles } = contract

test.each<[string, Endpoint, string, unknown, string | undefined]>([
  ['an empty title', groups.create, 'title', '', '不能为空'],
  ['a title', groups.create, 'title', '编辑', undefined],
  ['an emptied number', groups.create, 'sort', null, undefined],
  ['no e-mail address', users.create, 'email', 'nobody', '请输入正确的邮箱地址'],
  ['an e-mail left out', users.create, 'email', '', undefined],
  ['no group', users.create, 'group_id', [], '请至少选择一项'],
  ['no kind, for which the schema has no words', punishments.update, 'type', undefined, '请选择此项'],
  ['no end', punishments.create, 'end_time', null, undefined],
])('a form says of %s what the endpoint would', async (_name, endpoint, key, value, problem) => {
  const rule = ruleOf(endpoint, { key, label: '此项', control: <></> })
  const said = await rule.validator(undefined, value).then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(said).toBe(problem)
})

test('what a decision needs is asked for, even where the endpoint would do without', async () => {
  const reason = { key: 'reject_reason', label: '原因', empty: '', control: <></> }
  expect(isRequired(articles.check, reason)).toBe(false)
  const needed = { ...reason, required: true }
  expect(isRequired(articles.check, needed)).toBe(true)
  await expect(ruleOf(articles.check, needed).validator(undefined, '  ')).rejects.toThrow('请填写原因')
  await ruleOf(articles.check, needed).validator(undefined, '没有注明出处')
})
