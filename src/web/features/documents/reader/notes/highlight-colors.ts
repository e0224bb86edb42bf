import { HighlightColor } from '#shared/enums.ts'
import { allCodes } from '#shared/codes.ts'
import { local } from '#web/lib/browser/storage.ts'

const storageKey = 'wendou-highlight'

export const highlightColors = allCodes(HighlightColor)

// Translucent: pages are white in the dark theme too, but slides may have any colour.
export const markClasses: Record<HighlightColor, string> = {
  [HighlightColor.Yellow]: 'bg-[rgb(250_204_21/0.38)]',
  [HighlightColor.Green]: 'bg-[rgb(74_222_128/0.36)]',
  [HighlightColor.Blue]: 'bg-[rgb(96_165_250/0.34)]',
  [HighlightColor.Pink]: 'bg-[rgb(244_114_182/0.34)]',
}

export const dotClasses: Record<HighlightColor, string> = {
  [HighlightColor.Yellow]: 'bg-[#facc15]',
  [HighlightColor.Green]: 'bg-[#4ade80]',
  [HighlightColor.Blue]: 'bg-[#60a5fa]',
  [HighlightColor.Pink]: 'bg-[#f472b6]',
}

/** The colour that was chosen last. */
export function lastColor(): HighlightColor {
  return highlightColors.find((color) => String(color) === local.read(storageKey)) ?? HighlightColor.Yellow
}

export function storeColor(color: HighlightColor): void {
  local.write(storageKey, String(color))
}
