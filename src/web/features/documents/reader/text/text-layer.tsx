import { type CSSProperties, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { type Highlight, splitByHighlights } from '#web/features/documents/reader/find/highlights.ts'
import { fontFor, measure } from '#web/features/documents/reader/text/fonts.ts'
import { trackSelection } from '#web/features/documents/reader/text/selection.ts'
import { positionLines, readPageText, type PositionedLine } from '#web/features/documents/reader/text/text-lines.ts'
import { useRetry } from '#web/lib/browser/online.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface TextLayerProps {
  address: string
  highlights: readonly Highlight[] | undefined
  currentHit: number | undefined
  onShown: () => void
}

/** The page's text over its picture: invisible, but it can be selected, copied and highlighted. */
export function TextLayer({ address, highlights, currentHit, onShown }: TextLayerProps) {
  const { data: lines = noLines, error, refetch } = useQuery(address, (signal) => loadLines(address, signal))
  const layer = useRef<HTMLDivElement>(null)
  const isEmpty = lines.length === 0
  useRetry(error, refetch)
  const show = useEffectEvent(onShown)
  useLayoutEffect(() => {
    if (lines.length > 0 && highlights && currentHit !== undefined) show()
  }, [lines, highlights, currentHit])
  useLayoutEffect(() => (isEmpty || !layer.current ? undefined : trackSelection(layer.current)), [isEmpty])
  if (isEmpty) return null
  return (
    <div
      ref={layer}
      data-text-layer
      className="absolute inset-0 cursor-text overflow-hidden text-[transparent] [container-type:size] [font-kerning:none] [font-variant-ligatures:none] [text-rendering:geometricPrecision] [text-spacing-trim:space-all] selection:bg-[rgb(40_110_220/0.28)]"
    >
      {lines.map((line) => (
        <Line
          key={line.index}
          line={line}
          highlights={highlights?.filter((highlight) => highlight.line === line.index) ?? noHighlights}
          currentHit={currentHit}
        />
      ))}
    </div>
  )
}

/** In ems. */
const maxLeading = 0.5

interface LineProps {
  line: PositionedLine
  highlights: readonly Highlight[]
  currentHit: number | undefined
}

function Line({ line, highlights, currentHit }: LineProps) {
  const { index, text, left, top, height, angle, runs, around } = line
  const [above, right, below, before] = around
  // Of the blank space above and below as much as can be part of the line: there a pointer still finds the nearest character.
  const leading = Math.min(above, below, maxLeading)
  const padding = [above - leading, right, below - leading, before]
  const lineHeight = `${height * (1 + leading * 2)}cqh`
  const style: CSSProperties & Record<`--${string}`, string> = {
    left: `${left}%`,
    top: `${top}%`,
    fontSize: `${height}cqh`,
    height: lineHeight,
    lineHeight,
    '--height': `${height}cqh`,
    '--leading': `${height * leading}cqh`,
  }
  if (angle === 0) {
    style.margin = `${-above}em 0 0 ${-before}em`
    style.padding = padding.map((side) => `${side}em`).join(' ')
  } else style.transform = `translate(-50%, -50%) rotate(${angle}deg)`
  return (
    <div data-line={index} style={style} className="absolute z-1 box-content whitespace-pre">
      {runs.map(({ from, to, size, gap, blank, width }) => {
        const part = text.slice(from, to)
        return (
          <span
            key={from}
            style={{
              fontSize: `${size}em`,
              fontFamily: fontFor(part),
              ...(gap !== 0 && { marginLeft: `${gap}em` }),
              ...(blank !== 0 && { wordSpacing: `${blank}em` }),
              ...(width !== undefined && { display: 'inline-block', width: `${width}em` }),
            }}
            className="align-top"
          >
            <RunText text={part} gap={gap} highlights={withinRun(highlights, from, to)} currentHit={currentHit} />
          </span>
        )
      })}
      {/* Absolutely positioned lines have no line breaks between them in the text of a selection. */}
      {'\n'}
    </div>
  )
}

/** The highlights in a run, relative to its start. */
function withinRun(highlights: readonly Highlight[], from: number, to: number): readonly Highlight[] {
  if (highlights.length === 0) return noHighlights
  return highlights
    .filter((highlight) => highlight.from < to && highlight.to > from)
    .map((highlight) => ({ ...highlight, from: highlight.from - from, to: highlight.to - from }))
}

interface RunTextProps {
  text: string
  /** Before the run, in ems. */
  gap: number
  highlights: readonly Highlight[]
  currentHit: number | undefined
}

function RunText({ text, gap, highlights, currentHit }: RunTextProps) {
  if (highlights.length === 0) return text
  return splitByHighlights(text, highlights).map(({ from, text, hits }) =>
    hits.length === 0 ? (
      text
    ) : (
      <mark
        key={from}
        data-hit={hits.join(' ')}
        aria-current={hits.some((hit) => hit === currentHit) || undefined}
        // A highlight that continues from the run before covers the gap between them.
        style={
          gap > 0 && from === 0 && highlights.some((highlight) => highlight.from < 0)
            ? { marginLeft: `${-gap}em`, paddingLeft: `${gap}em` }
            : undefined
        }
        className={markClass}
      >
        {text}
      </mark>
    ),
  )
}

// Translucent: pages are white in the dark theme too, but slides may have any colour.
const markClass =
  'mt-(--leading) inline-block h-(--height) align-top leading-(--height) text-[transparent] bg-[rgb(255_200_0/0.36)] aria-[current]:bg-[rgb(255_110_0/0.5)] aria-[current]:outline-1 aria-[current]:outline-[rgb(214_72_0)] md:aria-[current]:outline-2'

const noLines: PositionedLine[] = []
const noHighlights: readonly Highlight[] = []

/** Without its text the page can still be read: it is loaded later if the network or the server fails. */
async function loadLines(address: string, signal: AbortSignal): Promise<PositionedLine[]> {
  const response = await fetch(address, { signal })
  if (response.status >= 500) throw new Error(`the text of a page: ${response.status}`)
  if (!response.ok) return noLines
  const text = readPageText(await response.json())
  return text ? positionLines(text, measure) : noLines
}
