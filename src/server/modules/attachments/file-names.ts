const maxBytes = 255

/** Cleans an untrusted file name for display. It is never used as a storage key. */
export function cleanFileName(name: string): string {
  const bare = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[\\/]/s, '')
  const readable = bare.replace(invisible, '').replace(/\s+/g, ' ').trim()
  return shorten(readable === '.' || readable === '..' ? '' : readable)
}

/** Control characters, line and paragraph separators, bidirectional overrides. */
const invisible = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffd]/gu

/** Keeps the extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const [ext = ''] = /\.[a-z0-9]{1,10}$/i.exec(name) ?? []
  let stem = ''
  for (const { segment } of new Intl.Segmenter('zh').segment(name.slice(0, name.length - ext.length))) {
    if (Buffer.byteLength(stem + segment + ext) > maxBytes) break
    stem += segment
  }
  return stem + ext
}
