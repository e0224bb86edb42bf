const longest = 255

/** What a stranger calls a file, made fit for people to read. Never used for storage. */
export function cleanFileName(name: string): string {
  const bare = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[\\/]/s, '')
  const readable = bare.replace(invisible, '').replace(/\s+/g, ' ').trim()
  return shortened(readable === '.' || readable === '..' ? '' : readable)
}

/** Control characters, line and paragraph separators, and marks that turn the direction of what follows. */
const invisible = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffd]/gu

/** The extension stays: it says what the file is. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name
  const [ext = ''] = /\.[a-z0-9]{1,10}$/i.exec(name) ?? []
  let stem = ''
  for (const { segment } of new Intl.Segmenter('zh').segment(name.slice(0, name.length - ext.length))) {
    if (Buffer.byteLength(stem + segment + ext) > longest) break
    stem += segment
  }
  return stem + ext
}
