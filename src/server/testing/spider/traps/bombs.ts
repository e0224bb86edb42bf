import { pipeline, Readable } from 'node:stream'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { pack } from '#server/samples/pack.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/**
 * Small on the wire, large when unpacked: a page, a file under Content-Encoding, a chain of two encodings, and a Word file
 * whose parts are 60 MB. The first three end at the limit of unpacked bytes, or are refused; the Word file is stored and its
 * conversion fails with a reason. The memory of the server does not grow with them.
 */
export const bombs: Trap = {
  start: '/bombs/',
  routes: {
    '/bombs/': linkPage('炸弹', ['/bombs/page.html', '/bombs/file.txt', '/bombs/twice.html', '/bombs/word.docx']),
    '/bombs/page.html': () => bomb('text/html; charset=utf-8'),
    '/bombs/file.txt': () => bomb('text/plain; charset=utf-8'),
    '/bombs/twice.html': () => ({
      headers: { 'content-type': 'text/html', 'content-encoding': 'gzip, gzip' },
      body: gzipSync(gzipSync(Buffer.alloc(10_000_000, 32), { level: constants.Z_BEST_COMPRESSION })),
    }),
    '/bombs/word.docx': () => ({
      headers: { 'content-type': 'application/octet-stream' },
      body: pack({
        '[Content_Types].xml': '<Types>wordprocessingml.document.main+xml</Types>',
        'word/document.xml': new Uint8Array(60_000_000),
      }),
    }),
  },
}

/** A gigabyte of spaces, made as it is read: about one megabyte on the wire. */
function bomb(type: string) {
  const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION })
  // A client that goes away early ends both.
  pipeline(Readable.from(megabytes(1024)), gzip, () => {})
  return { headers: { 'content-type': type, 'content-encoding': 'gzip' }, body: gzip }
}

function* megabytes(count: number) {
  const spaces = Buffer.alloc(1 << 20, 32)
  for (let n = 0; n < count; n++) yield spaces
}
