import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the style sheets of a page into the page: the first paint waits for nothing but the HTML, and pictures and scripts do
 * not compete with styles for a slow connection. The link stays for hydration, disabled, so that browsers do not fetch it.
 */
export function inlineStyles(folder: string): (html: string) => string {
  const sheets = new Map<string, string>()
  const read = (href: string) => {
    const path = join(folder, href)
    const css = sheets.get(href) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
    sheets.set(href, css)
    return css
  }
  return (html) =>
    html.replace(/<link rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"\/>/g, (link, href: string) => {
      const css = read(href)
      return css === '' ? link : `<style>${css}</style>${link.replace('/>', ' disabled=""/>')}`
    })
}
