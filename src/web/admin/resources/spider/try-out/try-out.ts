import { SpiderEntry } from '#shared/spider.ts'
import type { contract } from '#shared/contract/contract.ts'
import type { CallInput, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'

type Try = typeof contract.spiderSources.try

/** A source as it would be saved. */
export type TriedRule = Omit<CallInput<Try>, 'url' | 'is_sitemap'>
export type TryReply = Reply<Try>

export interface TriedPage {
  url: string
  reply: TryReply
}

export interface TryOutState {
  pages: TriedPage[]
  /** The address that is being read; undefined once the try-out is over. */
  current?: string
  /** The server refused the rule itself, or could not be asked. */
  error?: unknown
}

export interface TryOutOptions {
  ask: (url: string) => Promise<TryReply>
  signal: AbortSignal
  onProgress: (state: TryOutState) => void
}

/** The start and some of the pages that it leads to tell whether a rule works. */
export const maxTriedPages = 6
/** Of a page: one or two show whether their text is found. */
const triedArticles = 2
const defaultDepth = 2

/** Reads page after page by a rule. What is still under way when it is stopped is dropped. */
export async function tryOut(rule: TriedRule, { ask, signal, onProgress }: TryOutOptions): Promise<void> {
  const [start = ''] = rule.start
  const pages: TriedPage[] = []
  const waiting: Candidate[] = [{ url: start, depth: 0 }]
  const known = new Set([start])
  const readAt = new Map<number, number>()
  const report = (rest: Omit<TryOutState, 'pages'>) => {
    if (!signal.aborted) onProgress({ pages: [...pages], ...rest })
  }
  while (pages.length < maxTriedPages && !signal.aborted) {
    const next = takeNext(waiting, readAt)
    if (!next) break
    const { url, depth } = next
    report({ current: url })
    try {
      const reply = await ask(url)
      pages.push({ url, reply })
      known.add(reply.url)
      const found = leadsOf(rule, reply, depth).filter((lead) => !known.has(lead))
      for (const lead of found) known.add(lead)
      waiting.unshift(...found.map((lead) => ({ url: lead, depth: depth + 1 })))
    } catch (error) {
      return report({ error })
    }
  }
  report({})
}

interface Candidate {
  url: string
  depth: number
}

/** From the depth of which the least has been read, as documents may be near the start or far from it; then the deepest. */
function takeNext(waiting: Candidate[], readAt: Map<number, number>): Candidate | undefined {
  const reads = ({ depth }: Candidate) => readAt.get(depth) ?? 0
  const [next] = waiting.toSorted((a, b) => reads(a) - reads(b) || b.depth - a.depth)
  if (!next) return undefined
  waiting.splice(waiting.indexOf(next), 1)
  readAt.set(next.depth, reads(next) + 1)
  return next
}

/** The articles of a page, and the pages it leads to, those in its middle first: around them are menus and footers. */
function leadsOf(rule: TriedRule, { page, document }: TryReply, depth: number): string[] {
  const articles = rule.target === ContentType.Article ? document.map(({ url }) => url).slice(0, triedArticles) : []
  const maxDepth = Math.max(rule.depth ?? defaultDepth, isSitemap(rule) ? 1 : 0)
  if (depth >= maxDepth) return articles
  const middle = (page.length - 1) / 2
  const distance = (url: string) => Math.abs(page.indexOf(url) - middle)
  return [...articles, ...page.toSorted((a, b) => distance(a) - distance(b))]
}

export function isSitemap({ entry = SpiderEntry.Page }: TriedRule): boolean {
  return entry === SpiderEntry.Sitemap
}

/** The documents or articles of all pages, each once. */
export function countFound(pages: readonly TriedPage[]): number {
  return new Set(pages.flatMap(({ reply }) => reply.document.map(({ url }) => url))).size
}

/** What to change when nothing was found, the most likely first. */
export function explainNothing(rule: TriedRule, pages: readonly TriedPage[]): string[] {
  const readable = pages.filter(({ reply }) => !reply.reason)
  if (readable.length === 0) return ['没有一页能够读取，原因见下；改好之后再试采一次。']
  const skipped = readable.reduce((sum, { reply }) => sum + reply.skipped, 0)
  const follows = readable.some(({ reply }) => reply.page.length > 0)
  const isForArticles = rule.target === ContentType.Article
  const item = isForArticles ? '文章的网址' : '文档的网址'
  return [
    skipped > 0 && `有 ${skipped} 个链接被规则跳过：检查“${item}”“继续读的页面”“不要的网址”是否写对。`,
    !follows && '读到的页面没有可以继续的链接：换一个列出内容的起始网址，或改用它的站点地图。',
    follows && '内容可能在更深的地方：换一个更近的起始网址，或提高“最多几层”。',
    isForArticles
      ? '没有符合“文章的网址”的页面：它要与文章页的网址相符，如 /news/*.html。'
      : '链接里没有要采集的格式：检查“格式”；下载网址没有扩展名时，把它写进“文档的网址”。',
  ].filter((line) => line !== false)
}
