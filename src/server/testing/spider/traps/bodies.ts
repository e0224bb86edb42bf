import { setTimeout } from 'node:timers/promises'
import { makePdf } from '#server/samples/pdf.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/** Bodies that never end: the limits of bytes end them, and what was received is not kept. */
export const endlessBodies: Trap = {
  start: '/endless/',
  routes: {
    '/endless/': linkPage('无尽', ['/endless/page.html', '/endless/file.pdf']),
    '/endless/page.html': { headers: { 'content-type': 'text/html' }, body: repeat('<p>没完没了</p>'.repeat(1000)) },
    '/endless/file.pdf': {
      headers: { 'content-type': 'application/pdf' },
      body: repeat(Buffer.alloc(65_536, 'x'), '%PDF-1.7\n'),
    },
  },
}

/**
 * A byte every 50 ms, for ever: no pause between two bytes is long enough for a limit of idle time, the total time ends it.
 * Meanwhile other hosts are crawled, and a server that stops does not wait for it.
 */
export const slowBodies: Trap = {
  start: '/slow/drip.pdf',
  routes: {
    '/slow/drip.pdf': { headers: { 'content-type': 'application/pdf' }, body: drip('%PDF-1.7\n') },
  },
}

/**
 * Lengths that are not true. More announced than sent: failed, nothing kept, tried again. A length above the limit: refused
 * before the body is read. The connection that ends in the middle of a page: the page is not taken for whole.
 */
export const lyingLengths: Trap = {
  start: '/lengths/',
  routes: {
    '/lengths/': linkPage('长度', ['/lengths/short.pdf', '/lengths/huge.pdf', '/lengths/cut.html']),
    '/lengths/short.pdf': {
      headers: { 'content-type': 'application/pdf', 'content-length': 1_000_000 },
      body: makePdf({ title: '短了' }),
      breaksOff: true,
    },
    '/lengths/huge.pdf': {
      headers: { 'content-type': 'application/pdf', 'content-length': 10 ** 13 },
      body: repeat(Buffer.alloc(65_536, 'x'), '%PDF-1.7\n'),
    },
    '/lengths/cut.html': {
      headers: { 'content-type': 'text/html' },
      body: '<title>半页</title><a href="/lengths/after-cut.pdf">',
      breaksOff: true,
    },
  },
}

function repeat(chunk: string | Uint8Array, first: string | Uint8Array = ''): Iterable<string | Uint8Array> {
  return {
    *[Symbol.iterator]() {
      if (first.length > 0) yield first
      for (;;) yield chunk
    },
  }
}

function drip(first: string): AsyncIterable<string> {
  return {
    async *[Symbol.asyncIterator]() {
      yield first
      for (;;) {
        await setTimeout(50)
        yield '.'
      }
    },
  }
}
