import { type Matrix, matrixAt, shortNumber, significant } from './numbers.ts'

/** What a page may consist of. Everything else is left out, whatever the document held: no script, link, text or style. */
export const allowedElements = new Set(
  (
    'g defs symbol use path rect image clipPath mask pattern linearGradient radialGradient stop ' +
    'filter feColorMatrix feComponentTransfer feFuncR feFuncG feFuncB feFuncA feFlood feComposite feBlend feOffset'
  ).split(' '),
)

/**
 * An attribute's value in its short form, or nothing where it is not one of the few that are allowed. References go
 * through `rename`, so they can only point into the page itself.
 */
export function allowedValue(attribute: string, value: string, rename: (id: string) => string): string | undefined {
  return kinds.get(attribute)?.(value.trim(), rename)
}

/** Style declarations as attributes; only blending has no attribute of its own and stays a style. */
export function styleAttributes(style: string): [attribute: string, value: string][] {
  const blending: string[] = []
  const attributes: [string, string][] = []
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, colon).trim()
    const value = declaration.slice(colon + 1).trim()
    if (property === 'mix-blend-mode' || property === 'isolation' || property === 'mask-type') {
      if (/^[a-z-]+$/.test(value) && value !== 'normal') blending.push(`${property}:${value}`)
    } else if (property !== 'style' && kinds.has(property)) attributes.push([property, value])
  }
  if (blending.length > 0) attributes.push(['style', blending.join(';')])
  return attributes
}

/** `matrix(…)`, short; other transforms are kept as they are. */
function shortTransform(value: string): string | undefined {
  const matrix = matrixAt(Buffer.from(value, 'latin1'), 0, value.length)
  if (matrix) return writeMatrix(matrix)
  return /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([-+\d.e,\s]*\)\s*)+$/i.test(value) ? value : undefined
}

export function writeMatrix([a, b, c, d, e, f]: Matrix): string {
  if (a === 1 && b === 0 && c === 0 && d === 1) return `translate(${shortNumber(e, 3)} ${shortNumber(f, 3)})`
  return `matrix(${[a, b, c, d].map((n) => significant(n, 6)).join(' ')} ${shortNumber(e, 3)} ${shortNumber(f, 3)})`
}

type Kind = (value: string, rename: (id: string) => string) => string | undefined

const word: Kind = (value) => (/^[A-Za-z][\w-]*(?: [A-Za-z]+)?$/.test(value) ? value : undefined)
const numbers: Kind = (value) => {
  if (!/^[-+\d.e,%\s]+$/i.test(value)) return undefined
  if (value.includes('%')) return value
  const list = value.split(/[\s,]+/).map(Number)
  return list.every(Number.isFinite) ? list.map((n) => shortNumber(n, 4)).join(' ') : undefined
}
const reference: Kind = (value, rename) => {
  const id = /^url\(#([\w.-]+)\)$/.exec(value)?.[1]
  return id === undefined ? undefined : `url(#${rename(id)})`
}
const paint: Kind = (value, rename) => {
  if (value === 'none') return value
  if (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value)) return value.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')
  if (/^rgb\([\d.,%\s]+\)$/.test(value)) return value
  return reference(value, rename)
}
const transform: Kind = (value) => shortTransform(value)

const kinds = new Map<string, Kind>([
  ...entries(
    'x y width height x1 y1 x2 y2 cx cy r fx fy offset opacity fill-opacity stroke-opacity stop-opacity flood-opacity ' +
      'stroke-width stroke-miterlimit stroke-dashoffset stroke-dasharray viewBox values tableValues k1 k2 k3 k4 dx dy ' +
      'slope intercept',
    numbers,
  ),
  ...entries(
    'stroke-linecap stroke-linejoin fill-rule clip-rule clipPathUnits maskUnits maskContentUnits patternUnits mask-type ' +
      'patternContentUnits gradientUnits spreadMethod filterUnits primitiveUnits preserveAspectRatio image-rendering ' +
      'overflow type in in2 result operator mode color-interpolation-filters',
    word,
  ),
  ...entries('fill stroke stop-color flood-color', paint),
  ...entries('clip-path mask filter', reference),
  ...entries('transform gradientTransform patternTransform', transform),
])

function entries(names: string, kind: Kind): [string, Kind][] {
  return names.split(' ').map((name) => [name, kind])
}
