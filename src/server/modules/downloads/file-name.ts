const longestName = 120
const letters = new Intl.Segmenter('zh-CN')

/**
 * The name a file is saved under: as its owner called it, without what would break a header, climb out of a folder, be
 * refused by an operating system or make the name read as another one.
 */
export function fileNameOf(name: string, { title, ext }: { title: string; ext: string }): string {
  const stem = clean(withoutExt(name, ext)) || clean(title) || 'document'
  const kept = Array.from(letters.segment(stem), ({ segment }) => segment).slice(0, longestName)
  return `${kept.join('').trim()}${ext}`
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
