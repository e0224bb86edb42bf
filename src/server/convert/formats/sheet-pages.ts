import type { ByteReader } from '../archives/bytes.ts'
import { repackZip } from '../archives/zip-repack.ts'

/** Widths in characters that fit a page: unscaled, scaled to portrait, and scaled to landscape but still readable. */
const maxUnscaledWidth = 80
const maxPortraitWidth = 110
const maxLandscapeWidth = 260
const maxSheetBytes = 20e6

/**
 * Copies a workbook with its wide sheets fitted to the width of the page, unless the author chose the print layout:
 * LibreOffice would otherwise spread their columns over several pages.
 */
export async function fitSheets(from: ByteReader, to: string): Promise<void> {
  await repackZip(from, to, {
    rename: (name) => name,
    transform: {
      matches: (name, size) => /^xl\/worksheets\/[^/]+\.xml$/.test(name) && size < maxSheetBytes,
      apply: fitSheet,
    },
  })
}

export function fitSheet(xml: Buffer): Buffer {
  const [from, to] = [findElement(xml, 'sheetData'), xml.lastIndexOf('sheetData')]
  if (from < 0 || to < 0) return xml
  const [head, tail] = [xml.subarray(0, from).toString('utf8'), xml.subarray(to).toString('utf8')]
  const [setup = ''] = /<(?:\w+:)?pageSetup\b[^>]*>/.exec(tail) ?? []
  if (/fitToPage="(1|true)"/.test(head) || /\bscale="/.test(setup) || /<(\w+:)?colBreaks/.test(tail)) return xml
  const width = sheetWidth(head)
  if (width <= maxUnscaledWidth) return xml

  const prefix = /<(\w+:)?worksheet\b/.exec(head)?.[1] ?? ''
  const paper = /\bpaperSize="\d+"/.exec(setup)?.[0] ?? 'paperSize="9"'
  const pages = Math.ceil(width / maxLandscapeWidth)
  const orientation = width > maxPortraitWidth || setup.includes('"landscape"') ? 'landscape' : 'portrait'
  const fitted = `<${prefix}pageSetup ${paper} orientation="${orientation}" fitToWidth="${pages}" fitToHeight="0"/>`
  const newTail = setup ? tail.replace(setup, fitted) : tail.replace(/<\/(\w+:)?worksheet>\s*$/, `${fitted}$&`)
  return Buffer.concat([Buffer.from(addFitToPage(head, prefix)), xml.subarray(from, to), Buffer.from(newTail)])
}

function findElement(xml: Buffer, name: string): number {
  const at = xml.indexOf(name)
  return at < 0 ? -1 : xml.lastIndexOf('<', at)
}

/** In characters, from the used range and the column widths that the file states. */
function sheetWidth(head: string): number {
  const last = /<(?:\w+:)?dimension\s+ref="(?:[A-Z]+\d+:)?([A-Z]{1,3})\d+"/.exec(head)?.[1]
  if (!last) return 0
  const columns = Array.from(last).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  const letters = Number(/\bbaseColWidth="(\d+)"/.exec(head)?.[1] ?? 8)
  const standard = Number(/\bdefaultColWidth="([\d.]+)"/.exec(head)?.[1] ?? letters + 0.83)
  let width = columns * standard
  for (const [tag] of head.matchAll(/<(?:\w+:)?col\s[^>]*>/g)) {
    const value = (name: string) => Number(new RegExp(`\\b${name}="([\\d.]+)"`).exec(tag)?.[1] ?? 0)
    const [min, max] = [value('min'), Math.min(value('max'), columns)]
    const own = /\bhidden="(1|true)"/.test(tag) ? 0 : value('width') || standard
    if (max >= min) width += (max - min + 1) * (own - standard)
  }
  return width
}

function addFitToPage(head: string, prefix: string): string {
  const fit = `<${prefix}pageSetUpPr fitToPage="1"/>`
  const bare = head.replace(/<(?:\w+:)?pageSetUpPr\b[^>]*\/>/, '')
  if (/<(?:\w+:)?sheetPr\b[^>]*\/>/.test(bare)) {
    return bare.replace(/<((?:\w+:)?sheetPr\b[^>]*)\/>/, `<$1>${fit}</${prefix}sheetPr>`)
  }
  if (/<\/(?:\w+:)?sheetPr>/.test(bare)) return bare.replace(/<\/(?:\w+:)?sheetPr>/, `${fit}$&`)
  return bare.replace(/<(?:\w+:)?worksheet\b[^>]*>/, `$&<${prefix}sheetPr>${fit}</${prefix}sheetPr>`)
}
