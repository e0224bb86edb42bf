import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Ground } from '#shared/grounds.ts'

/**
 * A page on another ground than white: the colours of text and drawings are mapped, pictures are left as they are. Pictures
 * that fill most of the page are scans and drawn backgrounds, and are mapped too: text stands on them. Photographs
 * (photos.ts) never are, so that a picture looks the same wherever it stands.
 */
export async function changeGround(svgz: Uint8Array, ground: ChangedGround): Promise<Uint8Array> {
  const { markup, pictures } = takePictures((await gunzipAsync(svgz)).toString())
  const mapper = colorMapper(markup, ground)
  const parts: string[] = []
  for (const part of divide(markup)) {
    parts.push(mapper.map(part))
    // A long page does not block the event loop.
    await nextTurn()
  }
  const changed = mapper.standsOnPhoto() ? markup : parts.join('')
  return gzipAsync(putPictures(changed, pictures), { level: 4 })
}

/** At a photograph: photos.ts sets it. */
export const photoMark = ' data-photo=""'

export type ChangedGround = Exclude<Ground, 'day'>

/** Each row gives red, green or blue: factors of the three, and a constant. */
type ColorMatrix = readonly (readonly [number, number, number, number])[]

/** The number of characters that are rewritten at once. */
const partLength = 200_000
/** The share of the page from which a photograph is what the page stands on. */
const photoShare = 0.8
/** The share of the page from which a picture is a scan or a background. */
const backgroundShare = 0.5
/** The ids of a page consist of letters only: this one is free. */
const filterId = 'ground-1'
/** In the thread pool: a large page does not block the event loop. */
const nextTurn = promisify(setImmediate)
const [gunzipAsync, gzipAsync] = [promisify(gunzip), promisify(gzip)]

/** White becomes `paper`, black becomes `ink`. */
const sepia = { paper: [245, 236, 217], ink: [59, 47, 34] } as const
const night = { paper: [24, 27, 26], ink: [222, 226, 224] } as const
const luminance = [0.213, 0.715, 0.072] as const

const matrices: Record<ChangedGround, ColorMatrix> = {
  sepia: [0, 1, 2].map((row) => {
    const [ink, paper] = [(sepia.ink[row] ?? 0) / 255, (sepia.paper[row] ?? 0) / 255]
    const factor = (column: number) => (row === column ? paper - ink : 0)
    return [factor(0), factor(1), factor(2), ink] as const
  }),
  // The lightness is inverted, hues stay: a red heading stays red.
  night: [0, 1, 2].map((row) => {
    const [ink, paper] = [(night.ink[row] ?? 0) / 255, (night.paper[row] ?? 0) / 255]
    const factor = (column: number) => (paper - ink) * (2 * (luminance[column] ?? 0) - (row === column ? 1 : 0))
    return [factor(0), factor(1), factor(2), ink] as const
  }),
}

export function rewriteColors(svg: string, ground: ChangedGround): string {
  const mapper = colorMapper(svg, ground)
  const changed = mapper.map(svg)
  return mapper.standsOnPhoto() ? svg : changed
}

/** Maps the parts of a page, which begin and end between two tags, one after the other. */
function colorMapper(svg: string, ground: ChangedGround) {
  const matrix = matrices[ground]
  const mapped = new Map<string, string>()
  const mapColor = (color: string): string => {
    let result = mapped.get(color)
    if (result === undefined) mapped.set(color, (result = applyMatrix(color, matrix)))
    return result
  }
  const [, width = '0', height = '0'] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  const pageArea = Number(width) * Number(height)
  /** How much the area of the content is enlarged, for each open element. */
  const scales = [1]
  let masks = 0
  let isOnPhoto = false
  const mapTag = (tag: string, close: string, name: string, attributes: string): string => {
    if (close) {
      scales.pop()
      if (name === 'mask') masks -= 1
      return tag
    }
    const scale = (scales.at(-1) ?? 1) * areaScale(attributes)
    const isOpen = !attributes.endsWith('/')
    if (isOpen) scales.push(scale)
    if (name === 'svg') return `<svg fill="${mapColor('#000')}"${attributes}>${filterElement(ground)}`
    if (name === 'mask') {
      masks += isOpen ? 1 : 0
      // The brightness of what is in a mask is its opacity: it keeps its colours, and the default one.
      return / fill=/.test(attributes) ? tag : `<mask fill="#000"${attributes}>`
    }
    if (masks > 0) return tag
    if (name === 'image') {
      const share = (imageArea(attributes) * scale) / pageArea
      const isPhoto = attributes.includes(photoMark)
      // Text on it would become as light as it is: such a page stays as it was made.
      if (isPhoto && ground === 'night' && share > photoShare) isOnPhoto = true
      return share > backgroundShare && !isPhoto ? `<image filter="url(#${filterId})"${attributes}>` : tag
    }
    const painted = attributes.replace(
      paints,
      (_, property: string, color: string) => ` ${property}="${mapColor(color)}"`,
    )
    return `<${name}${ground === 'night' ? painted.replace(blendModes, invertBlendMode) : painted}>`
  }
  return { map: (part: string) => part.replace(anyTag, mapTag), standsOnPhoto: () => isOnPhoto }
}

/** Pictures are most of a page's length, and nothing in them is mapped. */
function takePictures(svg: string): { markup: string; pictures: string[] } {
  const pictures: string[] = []
  const markup = svg.replace(picture, (_, data: string) => {
    pictures.push(data)
    return ` href="data:${pictures.length - 1}"`
  })
  return { markup, pictures }
}

function putPictures(markup: string, pictures: readonly string[]): string {
  return markup.replace(/ href="data:(\d+)"/g, (_, index: string) => ` href="data:${pictures[Number(index)] ?? ''}"`)
}

function divide(markup: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < markup.length;) {
    const end = markup.indexOf('>', at + partLength) + 1 || markup.length
    parts.push(markup.slice(at, end))
    at = end
  }
  return parts
}

function filterElement(ground: ChangedGround): string {
  const rows = matrices[ground].map(([r, g, b, constant]) => [r, g, b, 0, constant].map(short).join(' '))
  const values = [...rows, '0 0 0 1 0'].join(' ')
  return `<filter id="${filterId}" color-interpolation-filters="sRGB"><feColorMatrix values="${values}"/></filter>`
}

const picture = / href="data:([^"]*)"/g
const anyTag = /<(\/?)([a-zA-Z]+)([^>]*)>/g
const paints = / (fill|stroke|stop-color)="(#[\da-fA-F]{3,6}|rgb\([^)"]*\))"/g
const blendModes = /(?<=mix-blend-mode:)(multiply|screen|darken|lighten|color-burn|color-dodge)/g
const inverseModes: Partial<Record<string, string>> = {
  multiply: 'screen',
  screen: 'multiply',
  darken: 'lighten',
  lighten: 'darken',
  'color-burn': 'color-dodge',
  'color-dodge': 'color-burn',
}

/** What darkens on white lightens on black. */
function invertBlendMode(mode: string): string {
  return inverseModes[mode] ?? mode
}

function applyMatrix(color: string, matrix: ColorMatrix): string {
  const [r, g, b] = parseColor(color)
  const channels = matrix.map(([byRed, byGreen, byBlue, constant]) => byRed * r + byGreen * g + byBlue * b + constant)
  return `#${channels.map(toHex).join('')}`
}

function toHex(value: number): string {
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0')
}

/** `#rgb`, `#rrggbb` or `rgb(…)` with numbers or percentages, as fractions. */
function parseColor(color: string): [red: number, green: number, blue: number] {
  const parts = color.startsWith('#')
    ? (color.length < 7
        ? Array.from(color.slice(1), (digit) => digit + digit)
        : (color.slice(1).match(/../g) ?? [])
      ).map((pair) => Number.parseInt(pair, 16) / 255)
    : color
        .slice(4, -1)
        .split(/[\s,]+/)
        .map((part) => Number.parseFloat(part) / (part.endsWith('%') ? 100 : 255))
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0]
}

function areaScale(attributes: string): number {
  const [, kind, values = ''] = / transform="(matrix|scale)\(([^)]*)\)/.exec(attributes) ?? []
  const [a = 1, b = a, c = 0, d = 1] = values.split(/[\s,]+/).map(Number)
  if (kind === 'scale') return Math.abs(a * b)
  return kind === 'matrix' ? Math.abs(a * d - b * c) : 1
}

function imageArea(attributes: string): number {
  const [width, height] = [/ width="([\d.]+)"/, / height="([\d.]+)"/].map((side) =>
    Number(side.exec(attributes)?.[1] ?? 0),
  )
  return (width ?? 0) * (height ?? 0)
}

function short(value: number): string {
  return String(Math.round(value * 10_000) / 10_000)
}
