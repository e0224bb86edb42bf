import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { RecommendAction } from '#shared/enums.ts'
import { wordsOf } from '#shared/fields.ts'
import { getFieldLabel } from '#shared/labels.ts'
import { describeInput } from '#server/audit-text.ts'
import { isAuditable } from '#server/http/api/mount.ts'
import { toAct, toSentence } from './audit.sentences.ts'

type Schema = z.core.$ZodType
type Def = {
  type: string
  innerType?: Schema
  element?: Schema
  options?: Schema[]
  shape?: Record<string, Schema>
  values?: unknown[]
  entries?: object
}

const endpoints = Object.entries(contract).flatMap(([area, actions]) =>
  Object.entries<Endpoint>(actions).map(([action, endpoint]) => ({ area, action, endpoint })),
)
const audited = endpoints.filter(({ endpoint }) => isAuditable(endpoint))
const rawKey = /[a-z]{2,}_[a-z]+|\b(?!VIP|CSV|IP)[a-z]{3,}\b/

/** Every key of a schema, with its schema. */
function fieldsOf(schema: Schema): [key: string, field: Schema][] {
  const { innerType, element, options = [], shape = {} } = schema._zod.def as unknown as Def
  const inner = [innerType, element, ...options].flatMap((part) => (part ? fieldsOf(part) : []))
  return [
    ...inner,
    ...Object.entries(shape).flatMap(([key, field]) => [[key, field] as [string, Schema], ...fieldsOf(field)]),
  ]
}

/** The codes of a field that have no words. */
function wordless(schema: Schema): unknown[] {
  const { innerType, element, options = [], values = [], entries = {} } = schema._zod.def as unknown as Def
  const words = wordsOf(schema) ?? {}
  const own = [...values, ...Object.values(entries)].filter((value) => value !== '' && !words[String(value)])
  return [...own, ...[innerType, element, ...options].flatMap((part) => (part ? wordless(part) : []))]
}

describe.each(audited)('$area $action', ({ area, action, endpoint }) => {
  test('has a sentence in Chinese', () => {
    const tries = [
      {},
      { enable: true, is_recommend: true, is_vip: true, type: RecommendAction.Recommend },
      { enable: false, type: RecommendAction.Withdraw },
    ]
    for (const input of tries) {
      const sentence = toSentence(area, toAct(area, action, input), [{ id: '7', name: '某物', href: '' }])
      expect(sentence).toMatch(/^[\u4e00-\u9fff].*[《“]某物[》”]$/)
      expect(sentence).not.toMatch(rawKey)
      expect(sentence).not.toContain('启用或停用')
      expect(sentence).toMatch(/了|不通过|退回|标为|恢复成/)
    }
  })

  test('shows labels in place of keys, and words in place of codes', () => {
    for (const [key, field] of fieldsOf(endpoint.input)) {
      expect(getFieldLabel(key), key).toMatch(/[\u4e00-\u9fff]|^IP$/)
      // Not shown: what tells one try from the next, and what the reviewer had seen. The rest is noted by its handler.
      if (!['key', 'from', 'provider', 'template', 'scene'].includes(key)) expect(wordless(field), key).toEqual([])
    }
    const values = Object.fromEntries(Object.keys(endpoint.input.shape).map((key) => [key, '值']))
    expect(describeInput(values, { schema: endpoint.input })).not.toMatch(rawKey)
  })
})

test('no key of a request is shown as it is in a message', () => {
  const keys = endpoints.flatMap(({ endpoint }) => fieldsOf(endpoint.input).map(([key]) => key))
  expect(keys.length).toBeGreaterThan(500)
  for (const key of [...keys, 'never_heard_of', 'config.0.never_heard_of'])
    expect(getFieldLabel(key), key).toMatch(/[\u4e00-\u9fff]|^IP$/)
  const bare = [...new Set(keys)].filter((key) => getFieldLabel(key) === getFieldLabel('never_heard_of'))
  expect(bare).toEqual([])
})
