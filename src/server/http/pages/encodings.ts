import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** The best one that is accepted. */
export function encodingOf(accepted: string): Encoding {
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity'
}

export const compressed: Record<Encoding, (html: Buffer<ArrayBuffer>) => Promise<Buffer<ArrayBuffer>>> = {
  br: async (html) => Buffer.from(await compressBrotli(html, { params: brotliFor(html.length) })),
  gzip: async (html) => Buffer.from(await compressGzip(html)),
  identity: async (html) => html,
}

/** A window that a page fits into: the usual one takes megabytes for each. */
function brotliFor(size: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  }
}
