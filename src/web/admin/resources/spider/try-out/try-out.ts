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

interface TryOutOptions {
  ask: (url: string, isStart: boolean) => Promise<TryReply>
  signal: AbortSignal
  onProgress: (state: TryOutState) => void
}

/** The start and some of the pages that it leads to tell whether a rule works. */
export const maxTriedPages = 6

/** Reads page after page by a rule. What is still under way when it is stopped is dropped. */
export async function tryOut(start: string, { ask, signal, onProgress }: TryOutOptions): Promise<void> {
  const pages: TriedPage[] = []
  const waiting = [start]
  const known = new Set(waiting)
  const report = (rest: Omit<TryOutState, 'pages'>) => {
    if (!signal.aborted) onProgress({ pages: [...pages], ...rest })
  }
  while (pages.length < maxTriedPages && !signal.aborted) {
    const url = waiting.shift()
    if (url === undefined) break
    report({ current: url })
    try {
      const reply = await ask(url, url === start)
      pages.push({ url, reply })
      for (const next of [reply.url, ...reply.page]) {
        if (!known.has(next) && next !== reply.url) waiting.push(next)
        known.add(next)
      }
    } catch (error) {
      return report({ error })
    }
  }
  report({})
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
  return [
    skipped > 0 && `有 ${skipped} 个链接被规则排除：检查“取这些网址”“继续读这些页面”“不要这些网址”是否写对。`,
    !follows && '读到的页面没有可以继续的链接：换一个列出内容的起始网址，或改用它的站点地图。',
    follows && '内容可能在更深的地方：换一个更近的起始网址，或提高“最多几层”。',
    isForArticles
      ? '没有认出正文：填写“正文”的选择器。'
      : '链接里没有要采集的格式：检查“格式”；下载网址没有扩展名时，把它写进“取这些网址”。',
  ].filter((line) => line !== false)
}
