import makeCode from 'qrcode-generator'
import { useMemo } from 'react'

/** An address as a code for cameras: dark on white in either theme, with the quiet margin they need. */
export function ShareCode({ address }: { address: string }) {
  const { size, path } = useMemo(() => drawn(address), [address])
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

function drawn(address: string): { size: number; path: string } {
  // As large as the address needs, and still read when a sixth of it is hidden.
  const code = makeCode(0, 'M')
  code.addData(address)
  code.make()
  const size = code.getModuleCount()
  const places = Array.from({ length: size * size }, (_, place) => [Math.floor(place / size), place % size] as const)
  const path = places.flatMap(([row, column]) => (code.isDark(row, column) ? `M${column} ${row}h1v1h-1z` : [])).join('')
  return { size, path }
}
