import { escapeXml } from '#server/convert/xml.ts'

export interface Feed {
  title: string
  path: string
  /** The path of the HTML page with the same content. */
  page: string
  entries: Entry[]
}

export interface Entry {
  path: string
  title: string
  summary: string
  author: { name: string; path: string }
  categories: string[]
  published: number
  updated: number
}

export function lastUpdated({ entries }: Feed): number {
  return Math.max(0, ...entries.map(({ updated }) => updated))
}

/** Without a domain links are relative, as the host of a request is whatever its sender says; ids must be full. */
export function renderAtom(feed: Feed, domain: string): string {
  const link = (path: string) => escapeXml(domain ? new URL(path, domain).href : path)
  const id = (path: string) => escapeXml(domain ? new URL(path, domain).href : `urn:wendou:${path}`)
  const entries = feed.entries.map(
    ({ path, title, summary, author, categories, published, updated }) => `<entry>
<id>${id(path)}</id>
<title>${escapeXml(title)}</title>
<link href="${link(path)}"/>
<published>${toTime(published)}</published>
<updated>${toTime(updated)}</updated>
<author><name>${escapeXml(author.name)}</name>${author.path && `<uri>${link(author.path)}</uri>`}</author>
${categories.map((name) => `<category term="${escapeXml(name)}"/>`).join('')}
<summary>${escapeXml(summary)}</summary>
</entry>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh-CN">
<id>${id(feed.path)}</id>
<title>${escapeXml(feed.title)}</title>
<link rel="self" type="application/atom+xml" href="${link(feed.path)}"/>
<link rel="alternate" type="text/html" href="${link(feed.page)}"/>
<updated>${toTime(lastUpdated(feed))}</updated>
${entries.join('\n')}
</feed>
`
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}
