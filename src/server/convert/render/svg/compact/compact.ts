import { glyphTransform } from './glyph-geometry.ts'
import { glyphRuns } from './glyph-runs.ts'
import { isSingular, meanScale } from '../matrix.ts'
import { shortNumber } from '../numbers.ts'
import { shortPath } from './path.ts'
import { placeholderGlyphs } from './placeholder-glyphs.ts'
import type { SafeAttribute, SafeElement } from '../sanitize/safe-element.ts'
import type { SafeVisitor } from '../sanitize/sanitize.ts'
import { shortIds } from './short-ids.ts'
import { shortValue } from './short-values.ts'
import type { PlaceholderTexts } from '../text-placeholders.ts'
import { type SvgWriter, writePath } from './writer.ts'

export interface CompactOptions {
  /** Compacted outlines of the document's glyphs, by a hash of the data that MuPDF writes for them. */
  shortGlyphs: Map<number, Uint8Array>
  /** The texts that placeholders in the drawing stand for. */
  placeholders?: PlaceholderTexts
}

/** An element that is open. */
interface OpenElement {
  /** Empty where the tag was left out. */
  name: string
  /** How much its content is enlarged. */
  scale: number
  /** It sets or inherits a `fill`. */
  hasFill: boolean
  isInDefs: boolean
}

/** MuPDF writes glyph outlines in ems: they become integers. */
const unitsPerEm = 1000
const maxShortGlyphs = 20_000

/**
 * Writes the elements of a page in as few bytes as possible: short ids, relative paths of limited precision, glyph
 * outlines in integers, one group for glyphs of the same size and colour; no default values, no groups without attributes.
 */
export function compactor(out: SvgWriter, bytes: Buffer, options: CompactOptions): SafeVisitor {
  const placeholders = options.placeholders && placeholderGlyphs(out, options.placeholders)
  const rename = shortIds(placeholders?.count ?? 0)
  const runs = glyphRuns(out)
  const open: OpenElement[] = []
  const shortValues = new Map<SafeAttribute, string>()
  /** The short ids of glyphs with scaled outlines; empty for a blank one. */
  const glyphIds = new Map<string, string>()
  /** Elements that some `use` draws in their own units: their outlines are not scaled. */
  const unscaled = new Set<string>()

  /** Cached by the attribute: but for ids and references, a page has few different ones. */
  const shorten = (attribute: SafeAttribute): string => {
    if (attribute.name === 'id' || attribute.name === 'href') return shortValue(attribute, rename)
    let short = shortValues.get(attribute)
    if (short === undefined) shortValues.set(attribute, (short = shortValue(attribute, rename)))
    return short
  }
  /** The attributes of a glyph besides its id and position. */
  const paintOf = (element: SafeElement): string => {
    let paint = ''
    for (const attribute of element.paintAttributes()) {
      const value = shorten(attribute)
      if (!isDefault(attribute.name, value) && !isBlackFill(attribute.name, value))
        paint += ` ${attribute.name}="${value}"`
    }
    return paint
  }

  /** Writes the outline of a glyph in integers; returns false for any other path. */
  const defineGlyph = (element: SafeElement, [from, to]: Range): boolean => {
    const id = element.id()
    if (!id?.startsWith('font_') || unscaled.has(id) || element.attributes().length > 1) return false
    const key = hash(bytes, from, to)
    let data = options.shortGlyphs.get(key)
    if (data === undefined) {
      data = shortPath(bytes, from, to, unitsPerEm)
      if (options.shortGlyphs.size < maxShortGlyphs) options.shortGlyphs.set(key, data)
    }
    const glyphId = data.length === 0 ? '' : rename(id)
    glyphIds.set(id, glyphId)
    if (glyphId) writePath(out, ` id="${glyphId}" d="`, data)
    return true
  }

  const drawGlyph = (element: SafeElement, id: string): void => {
    const matrix = element.matrix()
    if (id === '' || !matrix) return
    const paint = paintOf(element)
    // A group would scale the width of a stroke, and is not allowed in a clip path.
    const standsAlone = isSingular(matrix) || paint.includes('stroke') || open.at(-1)?.name === 'clipPath'
    if (!standsAlone) return runs.place(id, matrix, matrix[4], matrix[5], paint, unitsPerEm)
    runs.end()
    const strokeWidth = Number(element.paintAttributes().find(({ name }) => name === 'stroke-width')?.value)
    const scaledPaint = Number.isNaN(strokeWidth)
      ? paint
      : paint.replace(/ stroke-width="[^"]*"/, ` stroke-width="${shortNumber(strokeWidth * unitsPerEm, 2)}"`)
    out.text(`<use href="#${id}" transform="${glyphTransform(matrix, unitsPerEm)}"${scaledPaint}/>`)
  }

  const writeElement = (element: SafeElement, pathData: Range | undefined): void => {
    runs.end()
    const { name } = element
    const parent = open.at(-1) ?? root
    const matrix = element.matrix()
    const scale = matrix ? parent.scale * meanScale(matrix) : parent.scale
    const keepsBlack = parent.hasFill || parent.isInDefs || name !== 'path'
    let hasFill = parent.hasFill
    let attributes = ''
    for (const attribute of element.attributes()) {
      const value = shorten(attribute)
      if (isDefault(attribute.name, value) || (!keepsBlack && isBlackFill(attribute.name, value))) continue
      if (attribute.name === 'fill') hasFill = true
      attributes += ` ${attribute.name}="${value}"`
    }
    if (pathData) return writePath(out, `${attributes} d="`, shortPath(bytes, ...pathData, unitsPerPoint(scale), 1))
    if (element.isEmpty) return out.text(`<${name}${attributes}/>`)
    const isNeeded = name !== 'g' || attributes !== ''
    if (isNeeded) out.text(`<${name}${attributes}>`)
    open.push({ name: isNeeded ? name : '', scale, hasFill, isInDefs: parent.isInDefs || name === 'defs' })
  }

  return {
    element(element) {
      if (element.name === 'use') {
        const glyphId = element.isEmpty ? glyphIds.get(element.target) : undefined
        if (glyphId !== undefined) return drawGlyph(element, glyphId)
        unscaled.add(element.target)
      }
      const pathData = element.pathData()
      if (pathData) {
        if (defineGlyph(element, pathData)) return
        const text = placeholders?.find(bytes, pathData)
        if (text) return placeholders?.draw(text, paintOf(element), runs)
      }
      writeElement(element, pathData)
    },
    close() {
      runs.end()
      const name = open.pop()?.name
      if (name) out.text(`</${name}>`)
    },
    end: runs.end,
  }
}

type Range = readonly [from: number, to: number]

const root: OpenElement = { name: '', scale: 1, hasFill: false, isInDefs: false }

function isDefault(name: string, value: string): boolean {
  return (name === 'stroke-linecap' && value === 'butt') || (name === 'stroke-linejoin' && value === 'miter')
}

/** Black is the default, unless another colour is inherited. */
function isBlackFill(name: string, value: string): boolean {
  return name === 'fill' && (value === '#000' || value === '#000000')
}

/** A power of ten: the precision is a hundredth of a point on the page, whatever the scale of the element. */
function unitsPerPoint(scale: number): number {
  const decimals = Math.ceil(Math.log10(Math.max(scale, 1e-9) * 100) - 0.01)
  return 10 ** Math.min(8, Math.max(0, decimals))
}

/** 53 bits of FNV-1a and a polynomial hash: collisions within a document are practically impossible. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let a = 0x811c9dc5
  let b = to - from
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b, 31) + code
  }
  return (a >>> 0) * 2 ** 21 + ((b >>> 0) & 0x1fffff)
}
