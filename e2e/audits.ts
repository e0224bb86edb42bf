import { networkFailure } from '#shared/errors.ts'
import type { Page, Request } from 'playwright-core'

/** The checks of Lighthouse-like tools. */

export interface Audit {
  name: string
  /** Empty when the audit passes. */
  faults: string[]
  weight: number
}

interface Transfer {
  url: string
  type: string
  status: number
  /** On the wire, compressed. */
  bytes: number
  body: string
}

/** Records what the page loads from now on; with `bodies` also the text. */
export function recordTransfers(page: Page, { bodies = false } = {}): Transfer[] {
  const transfers: Transfer[] = []
  const record = async (request: Request) => {
    const response = await request.response()
    const { responseBodySize: bytes } = await request.sizes()
    const body = bodies ? ((await response?.text()) ?? '') : ''
    transfers.push({
      url: request.url(),
      type: request.resourceType(),
      status: response?.status() ?? networkFailure,
      bytes,
      body,
    })
  }
  // The last requests may be pending when the window is closed.
  page.on('requestfinished', (request) => void record(request).catch(() => {}))
  return transfers
}

/** Records largest contentful paint and layout shifts, from before the first byte on. */
export async function recordPaints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: PaintMetrics = { largest: '', shift: 0, moved: [] }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
        const { element } = entry
        seen.largest = element instanceof HTMLImageElement ? element.src : (element?.outerHTML.slice(0, 200) ?? '')
      }
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        if (entry.hadRecentInput) continue
        seen.shift += entry.value
        for (const { node } of entry.sources)
          seen.moved.push(node instanceof Element ? node.outerHTML.slice(0, 200) : (node?.textContent ?? ''))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export interface PaintMetrics {
  largest: string
  shift: number
  /** What moved, as HTML. */
  moved: string[]
}

interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null }[]
}

export async function readPaintMetrics(page: Page): Promise<PaintMetrics> {
  return page.evaluate(() => (window as unknown as { seen: PaintMetrics }).seen)
}

/** The weight of the passed audits, in percent. */
export function auditScore(audits: readonly Audit[]): number {
  const total = audits.reduce((sum, { weight }) => sum + weight, 0)
  const passed = audits.filter(({ faults }) => faults.length === 0).reduce((sum, { weight }) => sum + weight, 0)
  return Math.round((passed / total) * 100)
}

/** Audits of the elements of a page. */
export async function auditElements(page: Page): Promise<Audit[]> {
  const faults = await page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isShown)
    const describe = (element: Element) => element.outerHTML.slice(0, 120)
    return {
      pictures: all('img')
        .filter((img) => !img.hasAttribute('width') || !img.hasAttribute('height') || !img.hasAttribute('alt'))
        .map(describe),
      nameless: all('button, a[href], input, select, textarea, summary')
        .filter((element) => nameOf(element) === '')
        .map(describe),
      repeatedIds: repeated([...document.querySelectorAll('[id]')].map(({ id }) => id)),
      small: all('button, input, select, summary')
        .filter((element) => Math.min(element.offsetWidth, element.offsetHeight) < 24)
        .map(describe),
      headings: skipped(all('h1, h2, h3, h4').map(({ tagName }) => Number(tagName[1]))),
      pale: all('body *').filter(hasOwnText).flatMap(paleness),
      head: headFaults(),
    }

    function isShown(element: HTMLElement): boolean {
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.offsetWidth > 1
    }
    function nameOf(element: HTMLElement): string {
      const labelled = 'labels' in element ? [...(element.labels as NodeListOf<HTMLElement>)] : []
      const words = [element.getAttribute('aria-label'), element.title, element.textContent]
      const pictures = [...element.querySelectorAll('img')].map(({ alt }) => alt)
      return [...words, ...labelled.map((label) => label.textContent), ...pictures].join('').trim()
    }
    function repeated(ids: string[]): string[] {
      return ids.filter((id, place) => ids.indexOf(id) !== place)
    }
    function skipped(levels: number[]): string[] {
      const faults = levels.filter((level) => level === 1).length === 1 ? [] : ['not one h1']
      return [...faults, ...levels.flatMap((level, at) => (level > (levels[at - 1] ?? level) + 1 ? [`h${level}`] : []))]
    }
    function hasOwnText(element: HTMLElement): boolean {
      return [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '')
    }
    /** WCAG contrast: below 4.5 : 1, or 3 : 1 for large text. */
    function paleness(element: HTMLElement): string[] {
      if (element.closest(':disabled, [aria-hidden="true"], figure')) return []
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700)
      const ground = groundOf(element)
      const [light = 0, dark = 0] = [lightness(over(color, ground)), lightness(ground)].toSorted((a, b) => b - a)
      const ratio = (light + 0.05) / (dark + 0.05)
      return ratio >= (isLarge ? 3 : 4.5) ? [] : [`${ratio.toFixed(2)} ${describe(element)}`]
    }
    function groundOf(element: Element | null): number[] {
      if (!element) return [255, 255, 255]
      const { backgroundColor } = getComputedStyle(element)
      const [, , , alpha = 0] = painted(backgroundColor)
      return alpha === 0 ? groundOf(element.parentElement) : over(backgroundColor, groundOf(element.parentElement))
    }
    function over(color: string, ground: number[]): number[] {
      const [r = 0, g = 0, b = 0, a = 0] = painted(color)
      return [r, g, b].map((part, at) => (part * a + (ground[at] ?? 0) * (255 - a)) / 255)
    }
    /** RGBA of a colour in any CSS notation. */
    function painted(color: string): number[] {
      const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')
      if (!pen) return []
      pen.fillStyle = color
      pen.fillRect(0, 0, 1, 1)
      return [...pen.getImageData(0, 0, 1, 1).data]
    }
    function lightness(color: number[]): number {
      const [r = 0, g = 0, b = 0] = color.map((part) => {
        const share = part / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    function headFaults(): string[] {
      const content = (selector: string) => document.querySelector(selector)?.getAttribute('content') ?? ''
      const checks: [string, boolean][] = [
        ['language', document.documentElement.lang === 'zh-CN'],
        ['title', document.title.length > 3],
        ['description', content('meta[name=description]').length > 10],
        ['viewport', content('meta[name=viewport]').includes('width=device-width')],
        ['zooming', !/user-scalable=no|maximum-scale/.test(content('meta[name=viewport]'))],
        ['charset', document.characterSet === 'UTF-8'],
        ['canonical', /^https?:|^\//.test(document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? '')],
        ['for robots', !content('meta[name=robots]').includes('noindex')],
        ['doctype', document.doctype?.name === 'html'],
      ]
      return checks.flatMap(([name, isRight]) => (isRight ? [] : [name]))
    }
  })
  return [
    { name: 'what the head says', faults: faults.head, weight: 15 },
    { name: 'pictures have their size and a text', faults: faults.pictures, weight: 10 },
    { name: 'controls have names', faults: faults.nameless, weight: 10 },
    { name: 'every id is used once', faults: faults.repeatedIds, weight: 3 },
    { name: 'controls can be hit', faults: faults.small, weight: 5 },
    { name: 'headings go down step by step', faults: faults.headings, weight: 3 },
    { name: 'text stands out from its ground', faults: faults.pale, weight: 10 },
  ]
}
