/** Reading goes in steps: so many pages at a time, up to what may be looked at. */

interface Limits {
  step: number
  preview: number
}

/** How many pages are shown so that this one is among them. */
export function shownFor(page: number, { step, preview }: Limits): number {
  const each = Math.max(1, step)
  return Math.min(preview, Math.max(1, Math.ceil(page / each)) * each)
}

export function nextStep(shown: number, { step, preview }: Limits): number {
  return Math.min(preview, shown + Math.max(1, step))
}

/** The page an address or a person asked for; nothing when it makes no sense. */
export function pageAsked(text: string | null, preview: number): number | undefined {
  if (text === null || !/^\d{1,6}$/.test(text.trim())) return undefined
  const page = Number(text)
  return page >= 1 && page <= preview ? page : undefined
}

/** The pages to hold ready: those in sight and some around, and never fewer than two on each side. */
export function pagesToHold(sight: { from: number; to: number; current: number }, shown: number): [number, number] {
  const from = Math.min(sight.from, sight.current - around)
  const to = Math.max(sight.to, sight.current + around)
  return [Math.max(1, from), Math.min(shown, to)]
}

const around = 2
