import { escapeXml } from '#server/convert/xml.ts'
import type { Answer } from './web-server.ts'

interface PageParts {
  title: string
  /** Raw HTML. */
  head?: string
  /** Raw HTML. */
  body: string
}

/** A page as a careful author writes it. */
export function htmlPage({ title, head = '', body }: PageParts): string {
  return `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><title>${escapeXml(title)}</title>${head}</head>
<body>${body}</body>
</html>
`
}

/** A page that only links to addresses. */
export function linkPage(title: string, hrefs: readonly string[]): Answer {
  const links = hrefs.map((href) => `<li><a href="${escapeXml(href)}">${escapeXml(href)}</a></li>`)
  return htmlAnswer(htmlPage({ title, body: `<h1>${escapeXml(title)}</h1><ul>${links.join('')}</ul>` }))
}

export function htmlAnswer(body: string): Answer {
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

export function redirect(location: string, status = 302): Answer {
  return { status, headers: { location } }
}
