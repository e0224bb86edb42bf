import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { type Mark, partsOf } from '#web/features/documents/reader/marks.ts'
import { placeLines, readPageText, type PlacedLine } from '#web/features/documents/reader/text-lines.ts'

interface TextLayerProps {
  address: string
  marks: readonly Mark[] | undefined
  /** The one that stands out. */
  currentHit: number | undefined
  onShown: () => void
}

/** The page's words over its picture: unseen, but they can be selected and copied, and what is looked for is marked. */
export function TextLayer({ address, marks, currentHit, onShown }: TextLayerProps) {
  const [lines, setLines] = useState<PlacedLine[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    void read(address, leaving.signal).then(setLines)
    return () => leaving.abort()
  }, [address])
  const show = useEffectEvent(onShown)
  useLayoutEffect(() => {
    if (lines.length > 0 && marks && currentHit !== undefined) show()
  }, [lines, marks, currentHit])
  if (lines.length === 0) return null
  return (
    <div className="absolute inset-0 cursor-text overflow-hidden text-[transparent] [container-type:size] selection:bg-[rgb(40_110_220/0.28)]">
      {lines.map(({ place, text, left, top, height, stretch }) => (
        <div
          key={place}
          style={{
            left: `${left}%`,
            top: `${top}%`,
            height: `${height}%`,
            fontSize: `${height}cqh`,
            fontFamily: faceOf(text),
            transform: `scaleX(${stretch})`,
          }}
          className="absolute origin-top-left leading-none whitespace-pre"
        >
          {/* Lines that only lie below one another would be copied as one. */}
          <Words text={text} marks={marks?.filter(({ line }) => line === place) ?? []} currentHit={currentHit} />
          {'\n'}
        </div>
      ))}
    </div>
  )
}

function Words({ text, marks, currentHit }: { text: string; marks: readonly Mark[]; currentHit: number | undefined }) {
  if (marks.length === 0) return text
  return partsOf(text, marks).map(({ from, text, hits }) =>
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

// Paper is white in the dark, too, but slides may not be: what lies below shows through.
const markClass =
  'inline-block h-full align-top text-[transparent] bg-[rgb(255_200_0/0.36)] aria-[current]:bg-[rgb(255_110_0/0.5)] aria-[current]:outline-1 aria-[current]:outline-[rgb(214_72_0)] md:aria-[current]:outline-2'

/** Among hanzi, quotation marks and the like are as wide as they are; elsewhere they are not. */
function faceOf(text: string): string {
  return /\p{Script=Han}/u.test(text)
    ? '"PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif'
    : 'sans-serif'
}

/** The text is a courtesy: without it the page can still be read. */
async function read(address: string, signal: AbortSignal): Promise<PlacedLine[]> {
  try {
    const response = await fetch(address, { signal })
    if (!response.ok) return []
    const text = readPageText(await response.json())
    return text ? placeLines(text, measure) : []
  } catch {
    return []
  }
}

let pen: CanvasRenderingContext2D | null | undefined

function measure(text: string): number {
  pen ??= document.createElement('canvas').getContext('2d')
  if (!pen) return 0
  pen.font = `100px ${faceOf(text)}`
  return pen.measureText(text).width
}
