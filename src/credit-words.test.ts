import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { nameCredits, nameCreditsOf } from '#shared/credit-name.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { catalogue } from '#shared/settings.ts'
import { isAuditable } from '#server/http/api/mount.ts'
import { toAct } from '#server/modules/audit/audit.sentences.ts'

/** A file, and the places in it that may say 积分: the setting that names them, and 微积分. */
const allowed: Record<string, RegExp> = {
  'src/shared/setting-groups/money.ts': /group\('积分设置'|text\('积分名称'/,
  'src/server/modules/search/questions/library.ts': /微积分/,
  'src/server/modules/search/questions/questions.ts': /微积分/,
}

test('nothing that people read has a name of its own for credits', () => {
  // The interface describes itself to programmers in the words of the contract.
  const exclude = ['**/*.test.*', 'src/shared/contract/**']
  const files = globSync('src/{web,shared,server}/**/*.{ts,tsx}', { exclude })
  const naming = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('积分') && !allowed[file]?.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(500)
  expect(naming).toEqual([])
})

test('an act of staff in the operation log neither', () => {
  const acts = Object.entries(contract).flatMap(([area, endpoints]) =>
    Object.entries<Endpoint>(endpoints).flatMap(([action, endpoint]) =>
      isAuditable(endpoint) ? [toAct(area, action)] : [],
    ),
  )
  expect(acts.filter((act) => /积分|\{/.test(act))).toEqual([])
})

test('labels of settings have the word of the owner', () => {
  expect(nameCredits('一元相当于多少{credits}', '贝壳')).toBe('一元相当于多少贝壳')
  const fields = Object.values(catalogue).flatMap(({ fields }) => Object.values(fields))
  const named = fields.filter(({ label, help = '' }) => `${label}${help}`.includes('{credits}'))
  expect(named.length).toBeGreaterThan(5)
  for (const field of named) {
    const { label, help = '' } = nameCreditsOf(field, '贝壳')
    expect(`${label}${help}`).toMatch(/贝壳/)
    expect(`${label}${help}`).not.toMatch(/\{/)
  }
})
