import { useEffectEvent, useLayoutEffect } from 'react'
import { type Highlight, splitByHighlights } from '#web/features/documents/reader/find/highlights.ts'
import { positionLines, readPageText, type PositionedLine } from '#web/features/documents/reader/text/text-lines.ts'
import { useWhenOnline } from '#web/lib/browser/online.ts'
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
  useWhenOnline(() => error !== undefined && refetch())
  const show = useEffectEvent(onShown)
  useLayoutEffect(() => {
    if (lines.length > 0 && highlights && currentHit !== undefined) show()
  }, [lines, highlights, currentHit])
  if (lines.length === 0) return null
  return (
    <div className="absolute inset-0 cursor-text overflow-hidden text-[transparent] [container-type:size] selection:bg-[rgb(40_110_220/0.28)]">
      {lines.map(({ index, text, left, top, height, stretch }) => (
        <div
          key={index}
          data-line={index}
          style={{
            left: `${left}%`,
            top: `${top}%`,
            height: `${height}%`,
            fontSize: `${height}cqh`,
            fontFamily: fontFor(text),
            transform: `scaleX(${stretch})`,
          }}
          className="absolute origin-top-left leading-none whitespace-pre"
        >
          {/* Absolutely positioned lines would be copied without line breaks. */}
          <LineText
            text={text}
            highlights={highlights?.filter(({ line }) => line === index) ?? []}
            currentHit={currentHit}
          />
          {'\n'}
        </div>
      ))}
    </div>
  )
}

function LineText({
  text,
  highlights,
  currentHit,
}: {
  text: string
  highlights: readonly Highlight[]
  currentHit: number | undefined
}) {
  if (highlights.length === 0) return text
  return splitByHighlights(text, highlights).map(({ from, text, hits }) =>
    hits.length === 0 ? (
      text
    ) : (
      <mark
        key={from}
        data-hit={hits.join(' ')}
        aria-current={hits.some((hit) => hit === currentHit) || undefined}
        className={markClass}
      >
        {text}
      </mark>
    ),
  )
}

// Translucent: pages are white in the dark theme too, but slides may have any colour.
const markClass =
  'inline-block h-full align-top text-[transparent] bg-[rgb(255_200_0/0.36)] aria-[current]:bg-[rgb(255_110_0/0.5)] aria-[current]:outline-1 aria-[current]:outline-[rgb(214_72_0)] md:aria-[current]:outline-2'

/** In Chinese fonts punctuation is as wide as a character. */
function fontFor(text: string): string {
  return /\p{Script=Han}/u.test(text)
    ? '"PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif'
    : 'sans-serif'
}

const noLines: PositionedLine[] = []

/** Without its text the page can still be read. */
async function loadLines(address: string, signal: AbortSignal): Promise<PositionedLine[]> {
  try {
    const response = await fetch(address, { signal })
    if (!response.ok) return []
    const text = readPageText(await response.json())
    return text ? positionLines(text, measure) : []
  } catch {
    return []
  }
}

let context: CanvasRenderingContext2D | null | undefined

function measure(text: string): number {
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = `100px ${fontFor(text)}`
  return context.measureText(text).width
}
