import { useEffect, useState } from 'react'
import { placeLines, readPageText, type PlacedLine } from '#web/features/documents/reader/text-lines.ts'

/** The page's words over its picture: unseen, but they can be selected and copied. */
export function TextLayer({ address }: { address: string }) {
  const [lines, setLines] = useState<PlacedLine[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    void read(address, leaving.signal).then(setLines)
    return () => leaving.abort()
  }, [address])
  if (lines.length === 0) return null
  return (
    <div
      style={{ fontFamily: face }}
      className="absolute inset-0 cursor-text overflow-hidden text-[transparent] [container-type:size] selection:bg-[rgb(40_110_220/0.28)]"
    >
      {lines.map(({ place, text, left, top, height, stretch }) => (
        <div
          key={place}
          style={{
            left: `${left}%`,
            top: `${top}%`,
            height: `${height}%`,
            fontSize: `${height}cqh`,
            transform: `scaleX(${stretch})`,
          }}
          className="absolute origin-top-left leading-none whitespace-pre"
        >
          {/* Lines that only lie below one another would be copied as one. */}
          {`${text}\n`}
        </div>
      ))}
    </div>
  )
}

const face = 'sans-serif'

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
  pen.font = `100px ${face}`
  return pen.measureText(text).width
}
