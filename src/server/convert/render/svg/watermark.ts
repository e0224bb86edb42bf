import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/**
 * A page with `text` all over it, slanted and half transparent. It is part of the drawing, so there is no address under
 * which the page can be had without it.
 */
export async function watermarked(svgz: Uint8Array, text: string): Promise<Uint8Array> {
  const shown = escaped(text.trim().slice(0, longest))
  if (shown === '') return svgz
  const svg = await unpacked(svgz)
  const end = svg.lastIndexOf('</svg>')
  if (end < 0) return svgz
  const [, width = '595', height = '842'] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg.toString('latin1', 0, 400)) ?? []
  const overlay = tiles(shown, Array.from(text.trim()).length, Number(width), Number(height))
  return packed(Buffer.concat([svg.subarray(0, end), Buffer.from(`${overlay}</svg>`)]), { level: 6 })
}

const longest = 100
/** Both leave the work to other threads: meanwhile the server answers. */
const [unpacked, packed] = [promisify(gunzip), promisify(gzip)]

function tiles(text: string, characters: number, width: number, height: number): string {
  const size = Math.min(width, height) / 24
  const across = Math.round((characters + 4) * size)
  const down = Math.round(size * 7)
  const letters = `font-family="sans-serif" font-size="${size.toFixed(2)}" fill="#888" fill-opacity=".3"`
  // Ids of a page are letters only: this one is free.
  const pattern =
    `<pattern id="wm-1" width="${across}" height="${down}" patternUnits="userSpaceOnUse" patternTransform="rotate(-30)">` +
    `<text x="${(size * 2).toFixed(1)}" y="${(size * 2).toFixed(1)}" ${letters}>${text}</text></pattern>`
  return `<defs>${pattern}</defs><rect width="${width}" height="${height}" fill="url(#wm-1)"/>`
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
