/** The elements of a page. All others are dropped, whatever the document contains: no scripts, links, text or styles. */
export const allowedElements: ReadonlySet<string> = new Set(
  (
    'g defs symbol use path rect image clipPath mask pattern linearGradient radialGradient stop ' +
    'filter feColorMatrix feComponentTransfer feFuncR feFuncG feFuncB feFuncA feFlood feComposite feBlend feOffset'
  ).split(' '),
)

export type ValueKind = 'numbers' | 'keyword' | 'paint' | 'reference' | 'transform'

/** The kind of value that an attribute may have; undefined for one that is not allowed. */
export function valueKind(attribute: string): ValueKind | undefined {
  return kinds.get(attribute)
}

/** No value that passes contains markup, or an address outside of the page. */
export function isAllowedValue(kind: ValueKind, value: string): boolean {
  return patterns[kind].test(value) && (kind !== 'numbers' || areNumbers(value))
}

/**
 * The allowed declarations of a style, as attributes. Blending, isolation and mask types have no attribute: they are
 * returned as one `style`.
 */
export function parseStyle(style: string): [attribute: string, value: string][] {
  const attributes: [string, string][] = []
  const declarations: string[] = []
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, colon).trim()
    const value = declaration.slice(colon + 1).trim()
    if (property === 'mix-blend-mode' || property === 'isolation' || property === 'mask-type') {
      if (/^[a-z-]+$/.test(value) && value !== 'normal') declarations.push(`${property}:${value}`)
    } else if (kinds.has(property)) attributes.push([property, value])
  }
  if (declarations.length > 0) attributes.push(['style', declarations.join(';')])
  return attributes
}

const localUrl = String.raw`url\(#[\w.-]+\)`
const patterns: Record<ValueKind, RegExp> = {
  numbers: /^[-+\d.e,%\s]+$/i,
  keyword: /^[A-Za-z][\w-]*(?: [A-Za-z]+)?$/,
  paint: new RegExp(String.raw`^(?:none|#(?:[\da-fA-F]{3}|[\da-fA-F]{6})|rgb\([\d.,%\s]+\)|${localUrl})$`),
  reference: new RegExp(`^${localUrl}$`),
  transform: /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([-+\d.e,\s]*\)\s*)+$/i,
}

function areNumbers(value: string): boolean {
  return value.includes('%') || value.split(/[\s,]+/).every((part) => Number.isFinite(Number(part)))
}

const kinds = new Map<string, ValueKind>([
  ...entries(
    'x y width height x1 y1 x2 y2 cx cy r fx fy offset opacity fill-opacity stroke-opacity stop-opacity flood-opacity ' +
      'stroke-width stroke-miterlimit stroke-dashoffset stroke-dasharray viewBox values tableValues k1 k2 k3 k4 dx dy ' +
      'slope intercept',
    'numbers',
  ),
  ...entries(
    'stroke-linecap stroke-linejoin fill-rule clip-rule clipPathUnits maskUnits maskContentUnits patternUnits mask-type ' +
      'patternContentUnits gradientUnits spreadMethod filterUnits primitiveUnits preserveAspectRatio image-rendering ' +
      'overflow type in in2 result operator mode color-interpolation-filters',
    'keyword',
  ),
  ...entries('fill stroke stop-color flood-color', 'paint'),
  ...entries('clip-path mask filter', 'reference'),
  ...entries('transform gradientTransform patternTransform', 'transform'),
])

function entries(names: string, kind: ValueKind): [string, ValueKind][] {
  return names.split(' ').map((name) => [name, kind])
}
