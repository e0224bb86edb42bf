import * as z from 'zod/mini'
import { SpiderRule } from '#shared/contract/spider.ts'

/** A rule as it is stored: what a later version has added gets its default. */
export function readRule(row: { rule: string }): SpiderRule {
  return z.parse(SpiderRule, JSON.parse(row.rule))
}

export function writeRule(rule: SpiderRule): string {
  return JSON.stringify(rule)
}
