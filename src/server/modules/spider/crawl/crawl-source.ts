import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { SpiderRule } from '#shared/contract/spider.ts'
import { documentExts } from '#shared/document-kinds.ts'
import { ContentType } from '#shared/enums.ts'
import { SpiderPublish, SpiderSourceState } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { PageRule } from '../extract/rule.ts'
import { readRule } from '../sources/rule.ts'
import { isQuiet } from './schedule.ts'

/** By which rule, and for which owner, addresses are crawled: a source, or a user of the back office who entered them. */
export interface CrawlSource {
  /** 0 for addresses that staff entered. */
  id: number
  target: ContentType
  run: number
  userId: number
  rule: SpiderRule
}

type SourceRow = Selectable<Tables['spider_source']>

export function toCrawlSource(row: SourceRow): CrawlSource {
  return { id: row.id, target: row.target, run: row.run, userId: row.user_id, rule: readRule(row) }
}

/** Documents of the page itself, and no other pages; what becomes of them is decided by hand. */
export function staffSource(userId: number, url = ''): CrawlSource {
  const rule = z.parse(SpiderRule, {
    start: [url || 'http://localhost'],
    depth: 0,
    auto_download: false,
    publish: SpiderPublish.Manual,
  })
  return { id: 0, target: ContentType.Document, run: 0, userId, rule }
}

export function findSourceRow(db: Db, id: number): Promise<SourceRow | undefined> {
  return db.selectFrom('spider_source').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether it may be requested now. An idle one may: staff have downloads and retries of their own. */
export function mayRequest(ctx: Ctx, row: SourceRow): boolean {
  return row.enable === 1 && row.state !== SpiderSourceState.Paused && !isQuiet(readRule(row), ctx.now())
}

export function toPageRule(ctx: Ctx, { target, rule }: CrawlSource): PageRule {
  const { selector_title, selector_description, selector_keywords, selector_date, selector_next } = rule
  return {
    target: target === ContentType.Article ? 'article' : 'document',
    follow: rule.follow,
    exclude: rule.exclude,
    items: rule.item,
    exts: wantedExts(ctx, rule),
    hosts: rule.start.flatMap((address) => URL.parse(address)?.host ?? []),
    dropParams: rule.drop_params,
    selectors: {
      title: selector_title,
      description: selector_description,
      keywords: selector_keywords,
      date: selector_date,
      next: selector_next,
      content: rule.selector_content,
    },
  }
}

/** Only for rules that name them: on most sites these are not documents but the notes of programs. */
const namedOnly: ReadonlySet<string> = new Set(['.md', '.markdown'])

/** The kinds of files that the rule wants and the site accepts. */
export function wantedExts({ settings }: Ctx, { ext }: Pick<SpiderRule, 'ext'>): string[] {
  const allowed = settings.security.document_allowed_ext.map(withDot)
  const accepted = documentExts.filter((known) => allowed.length === 0 || allowed.includes(known))
  const wanted = ext.map(withDot)
  return accepted.filter((known) => (wanted.length > 0 ? wanted.includes(known) : !namedOnly.has(known)))
}

/** The port other than 80 and 443 that its start addresses have. */
export function ownPort({ rule }: CrawlSource, url: string): number | undefined {
  const ports = rule.start.flatMap((address) => Number(URL.parse(address)?.port) || [])
  const port = Number(URL.parse(url)?.port)
  return ports.find((own) => own === port) ?? ports[0]
}

function withDot(ext: string): string {
  return `.${ext.trim().toLowerCase().replace(/^\./, '')}`
}
