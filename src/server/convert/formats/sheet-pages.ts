import type { Bytes } from '../archives/bytes.ts'
import { repackZip } from '../archives/zip-repack.ts'

/** Characters side by side on a page: as it is, a little smaller, and turned on its side as small as can be read. */
const asItIs = 80
const upright = 110
const onItsSide = 260
const sheetLimit = 20e6

/**
 * A copy of a workbook whose wide sheets are fitted to the page's width, unless their author has said how to print them:
 * otherwise a table is torn into strips of columns, pages apart.
 */
export async function fitSheets(from: Bytes, to: string): Promise<void> {
  await repackZip(from, to, {
    name: (name) => name,
    edit: {
      when: (name, size) => /^xl\/worksheets\/[^/]+\.xml$/.test(name) && size < sheetLimit,
      how: fitSheet,
    },
  })
}

export function fitSheet(xml: Buffer): Buffer {
  const [from, to] = [startOf(xml, 'sheetData'), xml.lastIndexOf('sheetData')]
  if (from < 0 || to < 0) return xml
  const [head, tail] = [xml.subarray(0, from).toString('utf8'), xml.subarray(to).toString('utf8')]
  const [setup = ''] = /<(?:\w+:)?pageSetup\b[^>]*>/.exec(tail) ?? []
  if (/fitToPage="(1|true)"/.test(head) || /\bscale="/.test(setup) || /<(\w+:)?colBreaks/.test(tail)) return xml
  const width = widthOf(head)
  if (width <= asItIs) return xml

  const prefix = /<(\w+:)?worksheet\b/.exec(head)?.[1] ?? ''
  const paper = /\bpaperSize="\d+"/.exec(setup)?.[0] ?? 'paperSize="9"'
  const pages = Math.ceil(width / onItsSide)
  const orientation = width > upright || setup.includes('"landscape"') ? 'landscape' : 'portrait'
  const fitted = `<${prefix}pageSetup ${paper} orientation="${orientation}" fitToWidth="${pages}" fitToHeight="0"/>`
  const newTail = setup ? tail.replace(setup, fitted) : tail.replace(/<\/(\w+:)?worksheet>\s*$/, `${fitted}$&`)
  return Buffer.concat([Buffer.from(withFit(head, prefix)), xml.subarray(from, to), Buffer.from(newTail)])
}

function startOf(xml: Buffer, name: string): number {
  const at = xml.indexOf(name)
  return at < 0 ? -1 : xml.lastIndexOf('<', at)
}

/** By the columns in use, as the file says, and what it says of their widths. */
function widthOf(head: string): number {
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

function withFit(head: string, prefix: string): string {
  const fit = `<${prefix}pageSetUpPr fitToPage="1"/>`
  const bare = head.replace(/<(?:\w+:)?pageSetUpPr\b[^>]*\/>/, '')
  if (/<(?:\w+:)?sheetPr\b[^>]*\/>/.test(bare)) {
    return bare.replace(/<((?:\w+:)?sheetPr\b[^>]*)\/>/, `<$1>${fit}</${prefix}sheetPr>`)
  }
  if (/<\/(?:\w+:)?sheetPr>/.test(bare)) return bare.replace(/<\/(?:\w+:)?sheetPr>/, `${fit}$&`)
  return bare.replace(/<(?:\w+:)?worksheet\b[^>]*>/, `$&<${prefix}sheetPr>${fit}</${prefix}sheetPr>`)
}
