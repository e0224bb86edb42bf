import type { Margins } from '#server/convert/converter.ts'
import type { Rendition } from './renditions.queries.ts'

/** What all pages leave empty at each edge, as fractions of their width and height. Never cuts off what one page shows. */
export interface Crop {
  left: number
  top: number
  right: number
  bottom: number
}

/** Stays around the content, in fractions of the page. */
const rest = 0.015
const unknown: Margins = [0, 0, 0, 0]

/** A page whose margins are not known may be full. */
function sharedMargins(pages: readonly (Margins | undefined)[]): Margins {
  const least = (edge: 0 | 1 | 2 | 3) => Math.min(1, ...pages.map((margins) => (margins ?? unknown)[edge]))
  return [least(0), least(1), least(2), least(3)]
}

/** The margins of the pages so far, if there are any, and of the next ones, as they are stored in the rendition's row. */
export function addMargins(soFar: string | undefined, pages: readonly (Margins | undefined)[]): string {
  const shared = sharedMargins(soFar === undefined ? pages : [parseMargins(soFar), ...pages])
  return JSON.stringify(shared.map((margin) => Math.floor(margin * 1000) / 1000))
}

/** False once a page was full: no other page can change that. */
export function mayHaveMargins(stored: string): boolean {
  return parseMargins(stored).some((margin) => margin > rest)
}

/** Undefined until all pages are measured, and where there is nothing to crop. */
export function getCrop({ margins, text_pages, pages }: Pick<Rendition, 'margins' | 'text_pages' | 'pages'>) {
  if (pages === 0 || text_pages < pages) return undefined
  const shared = parseMargins(margins)
  const isBlank = shared.every((margin) => margin === 1)
  if (isBlank || !mayHaveMargins(margins)) return undefined
  const [left, top, right, bottom] = shared.map((margin) => Math.round(Math.max(0, margin - rest) * 1000) / 1000)
  return { left, top, right, bottom } as Crop
}

function parseMargins(stored: string): Margins {
  return stored === '' ? unknown : (JSON.parse(stored) as Margins)
}
