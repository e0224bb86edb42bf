import { Fragment, memo, type ReactNode } from 'react'
import type { HeadingLevel, Inline, Mark } from '#shared/reflow.ts'
import { isPageStart, settingOf, type FlowBlock, type FlowInline } from '#web/features/documents/reader/reflow/flow.ts'
import { RetriedImage } from '#web/ui/retried-image.tsx'
import { cx } from '#web/ui/class-names.ts'

interface BlocksProps {
  blocks: readonly FlowBlock[]
  /** The address of pictures, to which the key of a block is added. */
  pictures: string
}

/** The blocks of a page; items that follow each other are one list. */
export const Blocks = memo(function Blocks({ blocks, pictures }: BlocksProps) {
  const runs: FlowBlock[][] = []
  for (const block of blocks) {
    const run = runs.at(-1)
    if (run && block.block.kind === 'item' && run[0]?.block.kind === 'item') run.push(block)
    else runs.push([block])
  }
  return runs.map((run) => {
    const [first] = run
    if (!first) return null
    if (first.block.kind === 'picture')
      return <Picture key={first.key} {...first.block} address={`${pictures}/${first.key}`} />
    if (first.block.kind !== 'item') return <BlockOf key={first.key} block={first.block} content={first.content} />
    return (
      <ul key={first.key} className="my-[0.6em]">
        {run.map((item) => (
          <BlockOf key={item.key} block={item.block} content={item.content} />
        ))}
      </ul>
    )
  })
})

function BlockOf({ block, content }: Omit<FlowBlock, 'key'>) {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level}>{renderInline(content)}</Heading>
    case 'item':
      return (
        <li className="my-[0.25em] flex gap-[0.5em]" style={{ paddingLeft: `${block.depth * 1.4}em` }}>
          <span className="shrink-0 text-muted select-none">{block.marker}</span>
          <span className="min-w-0 flex-1">{renderInline(content)}</span>
        </li>
      )
    case 'quote':
      return (
        <blockquote className="my-[0.8em] border-l-3 border-line pl-[1em] text-muted">
          {renderInline(content)}
        </blockquote>
      )
    case 'code':
      return (
        <pre className="my-[0.8em] overflow-x-auto rounded-md bg-sunken p-[0.8em] font-mono text-[0.85em] leading-normal">
          {block.text}
        </pre>
      )
    case 'table':
      return <Table rows={block.rows} hasHead={block.hasHead} />
    case 'rule':
      return <hr className="mx-auto my-[1.6em] w-1/3 border-line" />
    default: {
      const { isChinese, isJustified } = settingOf(content)
      return (
        <p className={cx('my-[0.6em]', isChinese && 'indent-[2em]', isJustified && 'text-justify')}>
          {renderInline(content)}
        </p>
      )
    }
  }
}

const headingClasses: Record<HeadingLevel, string> = {
  1: 'mt-[1.6em] mb-[0.8em] text-[1.45em] leading-snug font-semibold',
  2: 'mt-[1.5em] mb-[0.7em] text-[1.25em] leading-snug font-semibold',
  3: 'mt-[1.3em] mb-[0.6em] text-[1.1em] leading-snug font-semibold',
  4: 'mt-[1.2em] mb-[0.5em] leading-snug font-semibold',
}

/** The title of the document is the page's first heading: those of its text are below it. */
function Heading({ level, children }: { level: HeadingLevel; children: ReactNode }) {
  const Tag = (['h2', 'h3', 'h4', 'h5'] as const)[level - 1] ?? 'h5'
  return <Tag className={headingClasses[level]}>{children}</Tag>
}

interface PictureProps {
  width: number
  height: number
  alt: string
  address: string
}

/** Its place is as large as the picture before that is loaded. None is higher than most of a screen. */
function Picture({ width, height, alt, address }: PictureProps) {
  const ratio = width / height
  return (
    <RetriedImage
      src={address}
      alt={alt}
      loading="lazy"
      decoding="async"
      className="mx-auto my-[1em] block rounded-sm bg-sunken text-xs text-muted"
      style={{ aspectRatio: ratio, width: `min(100%, ${width}px, ${ratio.toFixed(4)} * 80vh)` }}
    />
  )
}

/** A wide table scrolls by itself, also by keys. */
function Table({ rows, hasHead }: { rows: readonly Inline[][][]; hasHead: boolean }) {
  const numbered = rows.map((cells, row) => ({ row, cells: cells.map((cell, column) => ({ column, cell })) }))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
    <section aria-label="表格" tabIndex={0} className="my-[0.8em] overflow-x-auto">
      <table className="min-w-full border-collapse text-[0.9em] leading-normal">
        <tbody>
          {numbered.map(({ row, cells }) => (
            <tr key={row} className={cx(hasHead && row === 0 && 'font-semibold')}>
              {cells.map(({ column, cell }) => (
                <td key={column} className="min-w-[4em] border border-line px-[0.6em] py-[0.35em] align-top">
                  {renderInline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const markTags = {
  bold: 'b',
  italic: 'i',
  code: 'code',
  superscript: 'sup',
  subscript: 'sub',
  strike: 's',
  underline: 'u',
} as const satisfies Record<Mark, string>

function renderInline(content: readonly FlowInline[]): ReactNode {
  const numbered = content.map((part, index) => ({ index, part }))
  return numbered.map(({ index, part }) => {
    if (typeof part === 'string') return <Fragment key={index}>{part}</Fragment>
    if (isPageStart(part)) return <PageMark key={index} page={part.startOf} />
    const Tag = markTags[part.mark]
    return <Tag key={index}>{renderInline(part.content)}</Tag>
  })
}

/** Where a page begins: its number in the margin, which is not copied with the text. */
export function PageMark({ page }: { page: number }) {
  return (
    <span
      data-page={page}
      data-number={page}
      className="pointer-events-none absolute right-0 indent-0 font-sans text-[0.6875rem] leading-7 font-normal text-muted tabular-nums select-none before:content-[attr(data-number)] max-md:pr-0.5 md:right-3 md:before:content-['第_'_attr(data-number)_'_页']"
    />
  )
}
