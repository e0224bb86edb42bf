/** Pages are shown in steps, up to the end of the preview; without steps, all of them. */

interface Limits {
  /** 0 for all pages at once. */
  step: number
  preview: number
}

/** The number of pages to show so that this one is among them. */
export function pagesShownFor(page: number, { step, preview }: Limits): number {
  return step > 0 ? Math.min(preview, Math.max(1, Math.ceil(page / step)) * step) : preview
}

export function nextStep(shown: number, { step, preview }: Limits): number {
  return step > 0 ? Math.min(preview, shown + step) : preview
}

/** Undefined for anything but a page of the preview. */
export function parsePageNumber(text: string | null, preview: number): number | undefined {
  if (text === null || !/^\d{1,6}$/.test(text.trim())) return undefined
  const page = Number(text)
  return page >= 1 && page <= preview ? page : undefined
}

/** The first and last page to render: those in view, and at least two on each side of the current one. */
export function pagesToRender(view: { from: number; to: number; current: number }, shown: number): [number, number] {
  const from = Math.min(view.from, view.current - overscan)
  const to = Math.max(view.to, view.current + overscan)
  return [Math.max(1, from), Math.min(shown, to)]
}

const overscan = 2

/**
 * How long a page waits before its picture is requested, so that pages that are scrolled past are not. The pages around the
 * current one follow one after the other, the next before the previous: a browser takes some 20 ms to parse each, and
 * cannot always be stopped when the reader leaves for another page.
 */
export function pictureDelayMs(page: number, current: number): number {
  const rank = page > current ? 2 * (page - current) - 2 : 2 * (current - page) - 1
  return firstDelayMs + Math.max(0, rank) * betweenMs
}

const firstDelayMs = 70
const betweenMs = 40
