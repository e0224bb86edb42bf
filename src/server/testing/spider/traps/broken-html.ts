import type { Trap } from '../trap-site.ts'

const nonsense = [
  '<div><p><table><tr><td><b><i></div>',
  '<a href="unclosed',
  '<!-- a comment without end -',
  '<script>"</scr',
  '<a href=/x y z=">',
  '&#xffffffff;&nosuch;',
  '<![CDATA[',
  '\0\u0001<\0a>',
  '<svg><style><img src=x onerror=1>',
]

/**
 * Markup that is broken in every way, of so many bytes, nested as deep as it is long. The title at its start and the link
 * behind it are read if the page is within the limits; above them it ends with a reason. No page holds up the others.
 */
export function brokenHtml(bytes = 1_000_000): Trap {
  return {
    start: '/broken.html',
    routes: { '/broken.html': { headers: { 'content-type': 'text/html; charset=utf-8' }, body: broken(bytes) } },
  }
}

function broken(bytes: number): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield '<title>破碎的网页</title><a href="/before.html">之前</a>'
      const chunk = nonsense.slice(0, 1).join('').repeat(1000)
      for (let sent = 0; sent < bytes * 0.9; sent += chunk.length) yield chunk
      for (let sent = 0; sent < bytes * 0.1; sent += 200) yield nonsense.join('\n')
    },
  }
}
