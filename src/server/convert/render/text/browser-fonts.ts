/** How wide browsers set characters: the text layer asks for Arial, or a font with its widths, and for a Chinese font. */

/** Hanzi, kana, hangul and the punctuation that is as wide as they are. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u

export function isWide(char: string): boolean {
  return char >= '\u1100' && wide.test(char)
}

/** Letters by their width in Arial, in thousandths of the font's size; all others, and digits, are as wide as an "n". */
const lettersByWidth: readonly (readonly [width: number, letters: string])[] = [
  [222, 'ijl'],
  [278, 'ftI'],
  [333, 'r'],
  [500, 'cksvxyzJ'],
  [611, 'FTZ'],
  [667, 'ABEKPSVXY'],
  [722, 'wCDHNRU'],
  [778, 'GOQ'],
  [833, 'mM'],
  [944, 'W'],
]
const usualWidth = 556
const widths = new Map([
  ...Array.from('abdeghnopquL0123456789', (letter) => [letter, usualWidth] as const),
  ...lettersByWidth.flatMap(([width, letters]) => Array.from(letters, (letter) => [letter, width] as const)),
])

/** Accents have no width of their own. */
export function widthInBrowser(char: string): number {
  const width = widths.get(char)
  if (width !== undefined) return width
  if (/\p{M}/u.test(char)) return 0
  return widths.get(char.normalize('NFD').charAt(0)) ?? usualWidth
}
