/**
 * The text of a document as blocks that a browser sets by itself. Data rather than HTML, so that nothing in a document can
 * become markup.
 */

/** Text, or text with an emphasis. */
export type Inline = string | { mark: Mark; content: Inline[] }

export type Mark = 'bold' | 'italic' | 'code' | 'superscript' | 'subscript' | 'strike' | 'underline'

export type Block =
  | {
      kind: 'paragraph'
      content: Inline[]
      /** Continues the last paragraph of the page before, with this between the two. */
      joined?: '' | ' '
    }
  | { kind: 'heading'; level: HeadingLevel; content: Inline[] }
  /** `marker` is a bullet or a number; `depth` is 0 for the outermost list. */
  | { kind: 'item'; marker: string; depth: number; content: Inline[] }
  | { kind: 'quote'; content: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; hasHead: boolean; rows: Inline[][][] }
  | { kind: 'rule' }
  /** `/view/picture/<view key>/<page>-<index of this block on it>`. Width and height are in pixels. */
  | { kind: 'picture'; width: number; height: number; alt: string }

export type HeadingLevel = 1 | 2 | 3 | 4

export interface ReflowedPage {
  page: number
  blocks: Block[]
}

/** Pages that are asked for together: the first of them names the request. Divides the pages of a stored slice. */
export const pagesPerReflow = 10

/** The first page of the group that a page is in. */
export function reflowGroupStart(page: number): number {
  return Math.floor((page - 1) / pagesPerReflow) * pagesPerReflow + 1
}

export function inlineText(content: readonly Inline[]): string {
  return content.map((part) => (typeof part === 'string' ? part : inlineText(part.content))).join('')
}

/** All text of a block, as it is searched and copied. */
export function blockText(block: Block): string {
  if (block.kind === 'rule' || block.kind === 'picture') return ''
  if (block.kind === 'code') return block.text
  if (block.kind === 'table') return block.rows.map((cells) => cells.map(inlineText).join('\t')).join('\n')
  return inlineText(block.content)
}
