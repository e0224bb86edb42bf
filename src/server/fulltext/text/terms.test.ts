import { describe, expect, test } from 'vitest'
import { findNear, isWithin } from './near.ts'
import { findSound } from './pinyin.ts'
import { isTraditional, regionalVariants } from './regional.ts'
import { isQuestion, toQueryTerms } from './terms.ts'

describe('what a query asks about', () => {
  test.each([
    ['请问怎么写辞职报告？', ['辞职报告'], ['辞职', '报告'], true],
    ['什么是区块链', ['区块链'], ['区块'], true],
    ['Python爬虫怎么学', ['python爬虫'], ['python', '爬虫'], true],
    ['房屋租凭合同', ['房屋租凭合同'], ['房屋', '租凭', '合同'], false],
    ['房屋 合同', ['房屋', '合同'], ['房屋', '合同'], false],
    ['怎么', [], [], true],
    ['目的和意义', ['目的', '意义'], ['目的', '意义'], false],
  ])('%s', (typed, pieces, terms, isAsking) => {
    expect(toQueryTerms(typed)).toEqual({ pieces, terms })
    expect(isQuestion(typed)).toBe(isAsking)
  })
})

test.each([
  ['資料庫設計', ['数据库设计']],
  ['滑鼠', ['鼠标']],
  ['数据库', ['资料库']],
  ['軟體 工程', ['软件 工程']],
  ['春天', []],
])('%s in the words of other regions', (typed, variants) => {
  expect(regionalVariants(typed)).toEqual(variants)
})

test('traditional characters are told from those that both have', () => {
  expect(isTraditional('資料')).toBe(true)
  expect(isTraditional('数据')).toBe(false)
  expect(isTraditional('中文 abc')).toBe(false)
})

test('a typing error is a wrong, missing or additional character, or two swapped ones', () => {
  for (const typed of ['pythn', 'pythons', 'pyhton', 'pithon']) expect(isWithin(1, 'python', typed), typed).toBe(true)
  expect(isWithin(1, 'python', 'pihton')).toBe(false)
  expect(isWithin(2, 'python', 'pihton')).toBe(true)
})

test('the part of a title that was meant', () => {
  expect(findNear('电磁感应现象', '电磁感映')).toBe('电磁感应')
  expect(findNear('区块链技术', '区块x链')).toBe('区块链')
  expect(findNear('区块链技术', '块区链')).toBe('区块链')
  expect(findNear('区块链技术', '微积分')).toBeUndefined()
})

test('the part of a title that sounds like the letters', async () => {
  expect(await findSound('重庆大学数据库原理', 'shujuku')).toBe('数据库')
  expect(await findSound('重庆大学数据库原理', 'cqdx')).toBe('重庆大学')
  expect(await findSound('重庆大学', 'shujuku')).toBeUndefined()
})
