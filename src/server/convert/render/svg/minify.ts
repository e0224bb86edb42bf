import { outlineSteps } from './glyph-outlines.ts'
import { concat, inSteps, offLine, sameShape, startsLine } from './glyph-places.ts'
import { jpegHeader } from '../jpeg.ts'
import { defineGlyphs, shortId, writePath } from './marked-glyphs.ts'
import { allowedElements, allowedValue, styleAttributes } from './allowed.ts'
import { type Matrix, matrixAt, shortNumber } from './numbers.ts'
import { shortPath } from './path.ts'
import { readTags, type Tag } from './tags.ts'
import { svgWriter } from './writer.ts'
import type { Marked, MarkedText } from './text-marks.ts'

export interface MinifyOptions {
  width: number
  height: number
  /** What the drawing's own coordinates span; the page itself unless the drawing was made at another size. */
  view?: { width: number; height: number }
  /** Outlines of this document's glyphs that were shortened before. */
  glyphs: Map<number, Uint8Array>
  /** The texts that marks in the drawing stand for. */
  marked?: Marked
  /** A picture browsers would show in wrong colours (four inks): another one in its place, as a data address. */
  replaceImage(jpeg: Uint8Array): string
}

/** The page must be shown as a picture: as a drawing no browser would take it. */
export class TooComplex extends Error {}

/**
 * An SVG page rewritten from the few elements and attributes that are allowed: valid XML whatever came in, glyph outlines
 * in whole thousandths of an em, one group for glyphs of the same size and colour, relative paths, short ids.
 */
export function minify(bytes: Buffer, options: MinifyOptions): Buffer {
  const { width, height, view = options } = options
  const box = `width="${shortNumber(width, 2)}" height="${shortNumber(height, 2)}"`
  const viewBox = `0 0 ${shortNumber(view.width, 2)} ${shortNumber(view.height, 2)}`
  const page = `<svg xmlns="http://www.w3.org/2000/svg" ${box} viewBox="${viewBox}">`
  const paper = `<path fill="#fff" d="M0 0h${shortNumber(view.width, 2)}v${shortNumber(view.height, 2)}H0z"/>`
  out.take()
  out.text(page)
  out.text(paper)
  rewrite(bytes, options)
  out.text('</svg>')
  return out.take()
}

const deepest = 200
const out = svgWriter()
const unitsPerEm = 1000

/** An element that is open: `name` is empty where it was left out but its content kept. */
interface Open {
  name: string
  tag: string
  scale: number
  fills: boolean
}

/** Glyphs that follow each other with the same matrix and colour. */
interface Run {
  matrix: Matrix
  rest: string
  steps: number
}

function rewrite(bytes: Buffer, options: MinifyOptions): void {
  const ids = new Map<string, string>()
  /** By reference: the short id of a glyph in thousandths of an em, or nothing where it has no outline. */
  const scaledGlyphs = new Map<string, string>()
  const plainReferences = new Set<string>()
  /** Attributes that were looked at before: a page has few different ones. */
  const allowed = new Map<string, string | undefined>()
  const open: Open[] = []
  let run: Run | undefined
  /** Inside an element that is not allowed: how many of its kind are open. */
  let skipped = 0

  const marked = options.marked && defineGlyphs(out, options.marked)
  let names = marked?.ids.size ?? 0

  const rename = (id: string) => {
    let short = ids.get(id)
    if (short === undefined) ids.set(id, (short = shortId(names++)))
    return short
  }
  const endRun = () => {
    if (run) out.text('</g>')
    run = undefined
  }
  const close = (element: Open) => {
    endRun()
    if (element.name) out.text(`</${element.name}>`)
  }

  const glyphPath = (tag: Tag, id: string): boolean => {
    const range = tag.range('d')
    if (!range || !id.startsWith('font_') || plainReferences.has(id) || tag.count !== 2) return false
    const key = hash(bytes, range[0], range[1])
    let data = options.glyphs.get(key)
    if (data === undefined) {
      data = shortPath(bytes, range[0], range[1], unitsPerEm)
      if (options.glyphs.size < 20_000) options.glyphs.set(key, data)
    }
    const short = data.length === 0 ? '' : rename(id)
    scaledGlyphs.set(`#${id}`, short)
    if (short) writePath(out, ` id="${short}" d="`, data)
    return true
  }

  const glyph = (tag: Tag, id: string): void => {
    if (id === '') return
    const range = tag.range('transform')
    const matrix = range ? matrixAt(bytes, range[0], range[1]) : identity
    if (!matrix) return
    const rest = restOf(tag)
    const [a, b, c, d, e, f] = matrix
    // A stroke's width is meant on the page, not in the glyph's units; and a clip takes no groups.
    const alone = a * d === b * c || rest.includes('stroke') || open.at(-1)?.name === 'clipPath'
    if (!alone) return place(id, matrix, e, f, rest, unitsPerEm)
    endRun()
    const stroke = Number(tag.value('stroke-width') ?? Number.NaN)
    const width = Number.isNaN(stroke) ? '' : ` stroke-width="${shortNumber(stroke * unitsPerEm, 2)}"`
    const others = width ? rest.replace(/ stroke-width="[^"]*"/, width) : rest
    out.text(`<use href="#${id}" transform="${inSteps(matrix, unitsPerEm)}"${others}/>`)
  }

  /** What is said about a glyph or a mark besides where and what it is. */
  const restOf = (tag: Tag): string => {
    let rest = ''
    for (let n = 0; n < tag.count; n++) {
      const attribute = tag.names[n] ?? ''
      if (!placing.has(attribute)) rest += written(attribute, tag.value(attribute) ?? '', false)
    }
    return rest
  }

  /** A glyph at that place of the page, in the group of those before it if it is of their size and colour. */
  const place = (id: string, matrix: Matrix, e: number, f: number, rest: string, steps: number): void => {
    if (!run || run.rest !== rest || run.steps !== steps || !sameShape(run.matrix, matrix)) {
      endRun()
      run = { matrix: [matrix[0], matrix[1], matrix[2], matrix[3], e, f], rest, steps }
      out.text(`<g transform="${inSteps(run.matrix, steps)}"${rest}>`)
    }
    const [a, b, c, d] = run.matrix
    const dx = e - run.matrix[4]
    const dy = f - run.matrix[5]
    const inverse = steps / (a * d - b * c)
    const x = Math.round((d * dx - c * dy) * inverse)
    const y = Math.round((a * dy - b * dx) * inverse)
    out.text('<use href="#')
    out.text(id)
    if (x) {
      out.text('" x="')
      out.integer(x)
    }
    if (y) {
      out.text('" y="')
      out.integer(y)
    }
    out.text('"/>')
  }

  const text = ({ matrix, spans }: MarkedText, rest: string): void => {
    for (const span of spans) {
      const shape = concat(span.matrix, matrix)
      if (shape[0] * shape[3] === shape[1] * shape[2]) continue
      for (let n = 0; n < span.outlines.length; n++) {
        const outline = span.outlines[n]
        const id = outline && marked?.ids.get(outline)
        if (id === undefined) continue
        const x = span.xs[n] ?? 0
        const y = span.ys[n] ?? 0
        const e = x * matrix[0] + y * matrix[2] + matrix[4]
        const f = x * matrix[1] + y * matrix[3] + matrix[5]
        if (run && startsLine(span, n) && offLine(run.matrix, e, f)) endRun()
        place(id, shape, e, f, rest, outlineSteps)
      }
    }
  }

  /** An attribute as it is written, or nothing. */
  const written = (attribute: string, value: string, keepsBlack: boolean): string => {
    if (attribute === 'style') {
      let styled = ''
      for (const [name, given] of styleAttributes(value))
        styled += name === 'style' ? ` style="${given}"` : written(name, given, keepsBlack)
      return styled
    }
    const asked = `${attribute} ${value}`
    let short = allowed.get(asked)
    if (short === undefined && !allowed.has(asked)) {
      short = allowedValue(attribute, value, rename)
      allowed.set(asked, short)
    }
    if (short === undefined || short === defaults[attribute]) return ''
    if (attribute === 'fill' && (short === '#000' || short === '#000000') && !keepsBlack) return ''
    return ` ${attribute}="${short}"`
  }

  const image = (tag: Tag): string => {
    const range = tag.range('xlink:href') ?? tag.range('href')
    if (!range) return ''
    const address = bytes.toString('latin1', range[0], range[1]).replace(/\s+/g, '')
    const [, kind, data] = /^data:image\/(png|jpeg|jpg|webp);base64,([\w+/=]*)$/.exec(address) ?? []
    if (!kind || !data) return ''
    if (!kind.startsWith('jp')) return ` href="${address}"`
    const jpeg = Buffer.from(data, 'base64')
    return ` href="${jpegHeader(jpeg)?.components === 4 ? options.replaceImage(jpeg) : address}"`
  }

  readTags(bytes, (tag) => {
    const { name } = tag
    if (tag.kind === 'close') {
      if (skipped > 0) skipped--
      else if (open.at(-1)?.tag === name) {
        const element = open.pop()
        if (element) close(element)
      }
      return
    }
    if (skipped > 0) {
      if (tag.kind === 'open') skipped++
      return
    }
    if (name === 'svg' && open.length === 0) {
      if (tag.kind === 'open') open.push({ name: '', tag: name, scale: 1, fills: false })
      return
    }
    if (!allowedElements.has(name)) {
      if (tag.kind === 'open') skipped = 1
      return
    }

    const reference = name === 'use' ? (tag.word('xlink:href') ?? tag.word('href') ?? '') : ''
    if (name === 'use') {
      const known = tag.kind === 'empty' ? scaledGlyphs.get(reference) : undefined
      if (known !== undefined) return glyph(tag, known)
      if (!/^#[\w.-]+$/.test(reference)) {
        if (tag.kind === 'open') skipped = 1
        return
      }
      plainReferences.add(reference.slice(1))
    }
    const id = name === 'path' || name === 'use' ? tag.value('id') : undefined
    if (name === 'path' && tag.kind === 'empty') {
      if (id !== undefined && glyphPath(tag, id)) return
      const stood = marked?.at(bytes, tag.range('d'))
      if (stood) return text(stood, restOf(tag))
    }

    endRun()
    const parent = open.at(-1)
    const scale = (parent?.scale ?? 1) * scaleOf(bytes, tag.range('transform'))
    let attributes = ''
    let data: Uint8Array | undefined
    let fills = parent?.fills ?? false
    const keepsBlack = fills || name !== 'path' || open.some((element) => element.tag === 'defs')
    for (let n = 0; n < tag.count; n++) {
      const attribute = tag.names[n] ?? ''
      if (attribute === 'id') {
        const own = tag.value('id') ?? ''
        if (/^[\w.-]+$/.test(own)) attributes += ` id="${rename(own)}"`
      } else if (attribute === 'd' && name === 'path') {
        const range = tag.range('d')
        const decimals = decimalsFor(scale)
        if (range) data = shortPath(bytes, range[0], range[1], decimals, 1)
      } else if (attribute === 'xlink:href' || attribute === 'href') {
        if (name === 'use') attributes += ` href="#${rename(reference.slice(1))}"`
        else if (name === 'image') attributes += image(tag)
        else if (name.endsWith('Gradient') || name === 'pattern') {
          const target = /^#([\w.-]+)$/.exec(tag.value(attribute) ?? '')?.[1]
          if (target) attributes += ` href="#${rename(target)}"`
        }
      } else {
        const text = written(attribute, tag.value(attribute) ?? '', keepsBlack)
        if (text.includes(' fill="')) fills = true
        attributes += text
      }
    }
    if (data) {
      writePath(out, `${attributes} d="`, data)
      if (tag.kind === 'open') skipped = 1
      return
    }
    if (tag.kind === 'empty') {
      out.text(`<${name}${attributes}/>`)
      return
    }
    if (open.length >= deepest) throw new TooComplex('too many elements inside each other')
    const needed = name !== 'g' || attributes !== ''
    if (needed) out.text(`<${name}${attributes}>`)
    open.push({ name: needed ? name : '', tag: name, scale, fills })
  })
  for (let element = open.pop(); element; element = open.pop()) close(element)
}

const placing = new Set(['data-text', 'xlink:href', 'href', 'transform', 'd'])
const identity: Matrix = [1, 0, 0, 1, 0, 0]
const defaults: Record<string, string> = { 'stroke-linecap': 'butt', 'stroke-linejoin': 'miter' }
/** How much a transform enlarges; unknown kinds count as not at all. */
function scaleOf(bytes: Uint8Array, range: readonly [number, number] | undefined): number {
  const matrix = range && matrixAt(bytes, range[0], range[1])
  return matrix ? Math.hypot(matrix[0], matrix[1], matrix[2], matrix[3]) / Math.SQRT2 : 1
}

/** Hundredths of a point on the page, whatever the element's own scale. */
function decimalsFor(scale: number): number {
  const decimals = Math.ceil(Math.log10(Math.max(scale, 1e-9) * 100) - 0.01)
  return 10 ** Math.min(8, Math.max(0, decimals))
}

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
