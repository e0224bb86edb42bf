import makeCode from 'qrcode-generator'
import { useMemo } from 'react'

/** A QR code: dark on white in both themes, with the quiet zone that scanners need. */
export function QrCode({ content }: { content: string }) {
  const { size, path } = useMemo(() => drawCode(content), [content])
  return (
    <svg
      aria-hidden
      viewBox={`${-margin} ${-margin} ${size + margin * 2} ${size + margin * 2}`}
      shapeRendering="crispEdges"
      className="w-full rounded-sm bg-[#fff]"
    >
      <path d={path} fill="#121614" />
    </svg>
  )
}

const margin = 3

function drawCode(content: string): { size: number; path: string } {
  // The smallest version that fits, with medium error correction.
  const code = makeCode(0, 'M')
  code.addData(content)
  code.make()
  const size = code.getModuleCount()
  const cells = Array.from({ length: size * size }, (_, index) => [Math.floor(index / size), index % size] as const)
  const path = cells.flatMap(([row, column]) => (code.isDark(row, column) ? `M${column} ${row}h1v1h-1z` : [])).join('')
  return { size, path }
}
