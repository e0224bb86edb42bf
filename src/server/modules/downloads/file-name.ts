const maxLength = 120
const graphemes = new Intl.Segmenter('zh-CN')

/**
 * The name a file is saved under: as its owner called it, without characters that break a header, leave a folder, are
 * refused by an operating system or reverse the reading direction.
 */
export function toFileName(name: string, { title, ext }: { title: string; ext: string }): string {
  const stem = clean(withoutExt(name, ext)) || clean(title) || 'document'
  const shortened = Array.from(graphemes.segment(stem), ({ segment }) => segment).slice(0, maxLength)
  return `${shortened.join('').trim()}${ext}`
}

function withoutExt(name: string, ext: string): string {
  return ext && name.trim().toLowerCase().endsWith(ext) ? name.trim().slice(0, -ext.length) : name
}

function clean(name: string): string {
  return (
    name
      .toWellFormed()
      // Line breaks and other controls, and the marks that turn the direction of writing.
      .replace(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]+/gu, ' ')
      .replace(/[\\/:*?"<>|]/g, '_')
      .replace(/\s+/g, ' ')
      .replace(/^[. ]+|[. ]+$/g, '')
  )
}
