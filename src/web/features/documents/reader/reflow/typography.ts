import { local } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'

export const fonts = ['sans', 'serif', 'kai'] as const
export type Font = (typeof fonts)[number]

export const lineHeights = [1.5, 1.75, 2.1] as const

export const minSize = 14
export const maxSize = 28
const sizeStep = 2

/** How reflowed text is set, for all documents. */
export interface Typography {
  font: Font
  /** In CSS pixels. */
  size: number
  lineHeight: (typeof lineHeights)[number]
  /** Over the whole window by screens that are turned, instead of scrolling. */
  isPaged: boolean
}

export const defaultTypography: Typography = { font: 'sans', size: 18, lineHeight: 1.75, isPaged: false }

/** Fonts of Apple's, Microsoft's and free systems, in this order: nothing is loaded. */
export const fontFamilies: Record<Font, string> = {
  sans: 'var(--font-sans)',
  serif: '"Songti SC", STSong, SimSun, "Noto Serif CJK SC", "Source Han Serif SC", serif',
  kai: '"Kaiti SC", STKaiti, KaiTi, "AR PL UKai CN", "Noto Serif CJK SC", serif',
}

const key = 'wendou-typography'
const store = createStore(() => parseTypography(local.read(key)))

export function useTypography(): Typography {
  return useStore(store, defaultTypography)
}

export function setTypography(changes: Partial<Typography>): void {
  const next = { ...store.get(), ...changes }
  local.write(key, JSON.stringify(next))
  store.set(next)
}

/** Larger or smaller by one step, within the limits. */
export function stepSize(size: number, direction: 1 | -1): number {
  return clampSize(size + direction * sizeStep)
}

/** What is not a known value is the default. */
export function parseTypography(text: string | null): Typography {
  const stored = readObject(text)
  const { font, size, lineHeight } = defaultTypography
  return {
    font: fonts.find((known) => known === stored['font']) ?? font,
    size: typeof stored['size'] === 'number' && Number.isFinite(stored['size']) ? clampSize(stored['size']) : size,
    lineHeight: lineHeights.find((known) => known === stored['lineHeight']) ?? lineHeight,
    isPaged: stored['isPaged'] === true,
  }
}

function clampSize(size: number): number {
  return Math.min(maxSize, Math.max(minSize, Math.round(size)))
}

function readObject(text: string | null): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
