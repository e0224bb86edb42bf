import { inlineText, type Block, type Inline, type ReflowedPage } from '#shared/reflow.ts'

/** Where a page begins within a paragraph. */
export interface PageStart {
  startOf: number
}

export type FlowInline = Inline | PageStart

/** A block as it is shown: one that several pages share has their starts in its content. */
export interface FlowBlock {
  /** Unique in its document, and the same whenever the page is loaded. */
  key: string
  block: Block
  /** Instead of the block's own content. */
  content: FlowInline[]
}

export interface FlowPage {
  page: number
  /** Its start is within the last block of the page before. */
  isJoined: boolean
  /** The page has no text of its own. */
  isEmpty: boolean
  blocks: FlowBlock[]
}

/** Pages in order, with paragraphs that go on over the end of a page put together. */
export function toFlow(pages: readonly ReflowedPage[]): FlowPage[] {
  const flow: FlowPage[] = []
  for (const { page, blocks } of pages) {
    const before = flow.at(-1)
    const target =
      before?.page === page - 1 ? flow.findLast(({ blocks }) => blocks.length > 0)?.blocks.at(-1) : undefined
    const [first] = blocks
    const joined = first?.kind === 'paragraph' ? first.joined : undefined
    const isJoined = joined !== undefined && target !== undefined && isProse(target.block)
    if (isJoined && first?.kind === 'paragraph')
      target.content = [...target.content, joined, { startOf: page }, ...first.content]
    const rest = blocks.map((block, index) => ({ key: `${page}-${index}`, block, content: contentOf(block) }))
    flow.push({ page, isJoined, isEmpty: blocks.length === 0, blocks: isJoined ? rest.slice(1) : rest })
  }
  return flow
}

function isProse({ kind }: Block): boolean {
  return kind === 'paragraph' || kind === 'item' || kind === 'quote'
}

function contentOf(block: Block): Inline[] {
  return 'content' in block ? block.content : []
}

export function isPageStart(part: FlowInline): part is PageStart {
  return typeof part === 'object' && 'startOf' in part
}

/** How a paragraph is set. Chinese ones are indented. */
export function settingOf(content: readonly FlowInline[]): { isChinese: boolean; isJustified: boolean } {
  const text = inlineText(content.filter((part): part is Inline => !isPageStart(part)))
  const start = text.slice(0, 200)
  const isChinese = (start.match(/\p{sc=Han}/gu)?.length ?? 0) * 3 > start.length
  return { isChinese, isJustified: isChinese && !longWord.test(text) }
}

/** A word or an address that does not fit is moved to the next line, and would stretch the one before it. */
const longWord = /[^\s\p{sc=Han}\u3000-\u303f\uff00-\uffef]{9}/u
