import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** The best encoding that the client accepts. */
export function negotiateEncoding(accepted: string): Encoding {
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity'
}

export const compressors: Record<Encoding, (html: Buffer<ArrayBuffer>) => Promise<Buffer<ArrayBuffer>>> = {
  br: async (html) => Buffer.from(await compressBrotli(html, { params: brotliParams(html.length) })),
  gzip: async (html) => Buffer.from(await compressGzip(html)),
  identity: async (html) => html,
}

/** The default window of 4 MB would cost megabytes of memory for each page. */
function brotliParams(size: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  }
}
