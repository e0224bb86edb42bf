import { escapeXml } from '#server/convert/xml.ts'
import type { Chapter, TableRows } from './chapters.ts'

/** A chapter as the body of a page. */
export function chapterHtml({ title, paragraphs, table }: Chapter): string {
  const lines = paragraphs.map((line) => `<p>${escapeXml(line)}</p>`)
  return `<h2>${escapeXml(title)}</h2>${lines.join('')}${table ? tableHtml(table) : ''}`
}

function tableHtml(rows: TableRows): string {
  const lines = rows.map((row, index) => {
    const tag = index === 0 ? 'th' : 'td'
    return `<tr>${row.map((text) => `<${tag}>${escapeXml(text)}</${tag}>`).join('')}</tr>`
  })
  return `<table>${lines.join('')}</table>`
}
