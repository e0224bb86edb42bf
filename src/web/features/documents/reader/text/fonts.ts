const chinese = '"PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif'
const latin = 'Arial, Helvetica, "Liberation Sans", sans-serif'

/** Hanzi, kana, hangul and the punctuation that is as wide as they are. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]/
const onlyWide = new RegExp(`^${wide.source}+$`)

/** In Chinese fonts punctuation is as wide as a character. */
export function fontFor(text: string): string {
  return wide.test(text) ? chinese : latin
}

/** Latin, Greek, Cyrillic and their punctuation: these, and wide characters, are in the fonts above on every system. */
const inLatinFonts = /^[\u0020-\u024f\u0370-\u04ff\u2010-\u2027]+$/

/** Others, as "▶", come from a font that the browser chooses: not the same one for a page and for a canvas. */
export function isInCommonFonts(text: string): boolean {
  return onlyWide.test(text) || inLatinFonts.test(text)
}

let context: CanvasRenderingContext2D | null | undefined

/** The width of a text at a font size of 1. */
export function measure(text: string): number {
  if (onlyWide.test(text)) return text.length
  context ??= openContext()
  if (!context) return 0
  context.font = `100px ${fontFor(text)}`
  return context.measureText(text).width / 100
}

/** Measures as the text layer is set. */
function openContext(): CanvasRenderingContext2D | null {
  const opened = document.createElement('canvas').getContext('2d')
  if (opened) {
    opened.fontKerning = 'none'
    opened.textRendering = 'geometricPrecision'
  }
  return opened
}
