import type { Trap } from '../trap-site.ts'

/** One page with a million links (35 MB): the page's limits of bytes and of links hold, and the rest is left out. */
export function manyLinks(count = 1_000_000): Trap {
  return {
    start: '/many-links.html',
    routes: {
      '/many-links.html': { headers: { 'content-type': 'text/html' }, body: links(count) },
      '/one-of-many/*': { headers: { 'content-type': 'text/html' }, body: '<p>其中之一' },
    },
  }
}

function links(count: number): Iterable<string> {
  const perChunk = 1000
  return {
    *[Symbol.iterator]() {
      for (let first = 0; first < count; first += perChunk) {
        const numbers = Array.from({ length: Math.min(perChunk, count - first) }, (_, index) => first + index)
        yield numbers.map((n) => `<a href="/one-of-many/${n}">${n}</a>`).join('\n')
      }
    },
  }
}
