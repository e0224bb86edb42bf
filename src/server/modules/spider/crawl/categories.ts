import type { Ctx } from '#server/context.ts'
import { ExtractError } from '../extract/extract-error.ts'
import type { CrawlSource } from './crawl-source.ts'
import type { SpiderDeps } from './deps.ts'

/** The categories of each address: those of the first rule that matches it, else the source's own. */
export async function categoriesOf(
  ctx: Ctx,
  { extractor }: Pick<SpiderDeps, 'extractor'>,
  { id, rule }: CrawlSource,
  urls: readonly string[],
): Promise<number[][]> {
  const own = urls.map(() => rule.category_id)
  if (rule.category_rule.length === 0 || urls.length === 0) return own
  try {
    const matches = await extractor.match({ patterns: rule.category_rule.map(({ pattern }) => pattern), urls })
    return matches.map((match) => rule.category_rule[match]?.category_id ?? rule.category_id)
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error
    ctx.log.warn({ error, source: id }, 'categories are not chosen by address')
    return own
  }
}
