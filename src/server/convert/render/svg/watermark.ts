import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** Repeats a text all over a page, slanted and translucent. It is part of the SVG: no URL has the page without it. */
export async function addWatermark(svgz: Uint8Array, text: string): Promise<Uint8Array> {
  const escaped = escapeText(text.trim().slice(0, maxTextLength))
  if (escaped === '') return svgz
  const svg = await gunzipAsync(svgz)
  const end = svg.lastIndexOf('</svg>')
  if (end < 0) return svgz
  const [, width = '595', height = '842'] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg.toString('latin1', 0, 400)) ?? []
  const overlay = tileOverlay(escaped, Array.from(text.trim()).length, Number(width), Number(height))
  return gzipAsync(Buffer.concat([svg.subarray(0, end), Buffer.from(`${overlay}</svg>`)]), { level: 6 })
}

const maxTextLength = 100
/** In the thread pool: a large page does not block the event loop. */
const [gunzipAsync, gzipAsync] = [promisify(gunzip), promisify(gzip)]

function tileOverlay(text: string, characters: number, width: number, height: number): string {
  const size = Math.min(width, height) / 24
  const tileWidth = Math.round((characters + 4) * size)
  const tileHeight = Math.round(size * 7)
  const font = `font-family="sans-serif" font-size="${size.toFixed(2)}" fill="#888" fill-opacity=".3"`
  // The ids of a page consist of letters only: this one is free.
  const pattern =
    `<pattern id="wm-1" width="${tileWidth}" height="${tileHeight}" patternUnits="userSpaceOnUse" patternTransform="rotate(-30)">` +
    `<text x="${(size * 2).toFixed(1)}" y="${(size * 2).toFixed(1)}" ${font}>${text}</text></pattern>`
  return `<defs>${pattern}</defs><rect width="${width}" height="${height}" fill="url(#wm-1)"/>`
}

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
