import { escapeXml } from '../xml.ts'
import { writeZip } from '../archives/zip-write.ts'

export interface Book {
  title: string
  author: string
  chapters: AsyncIterable<Chapter> | Iterable<Chapter>
}

export interface Chapter {
  /** Absent in a continuation of the chapter before, which is not in the outline. */
  title?: string
  /** 0 is the top. */
  level: number
  /** The content of `<body>`: well-formed, without scripts and external references. */
  body: string
  files?: EpubFile[]
}

export interface EpubFile {
  /** Its path relative to the chapters. */
  name: string
  content: Uint8Array
}

/** Writes an EPUB chapter by chapter. */
export async function writeEpub(path: string, book: Book): Promise<void> {
  await writeZip(path, async (add) => {
    await add('mimetype', 'application/epub+zip')
    await add('META-INF/container.xml', container)
    await add('OEBPS/style.css', style)
    const outline: { title: string; level: number; name: string }[] = []
    const names: string[] = []
    const files = new Set<string>()
    for await (const { title, level, body, files: chapterFiles = [] } of book.chapters) {
      const name = `c${names.length + 1}.xhtml`
      names.push(name)
      if (title) outline.push({ title, level, name })
      await add(`OEBPS/${name}`, chapterXhtml(title ?? book.title, body))
      for (const file of chapterFiles) {
        if (files.has(file.name)) continue
        files.add(file.name)
        await add(`OEBPS/${file.name}`, file.content)
      }
    }
    await add('OEBPS/content.opf', packageXml(book, names))
    await add('OEBPS/toc.ncx', ncxXml(book, outline))
  })
}

const container = `<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

const style = `body { line-height: 1.7; margin: 0 1em; text-align: justify; }
p { margin: 0 0 0.4em; text-indent: 2em; }
h1, h2, h3 { line-height: 1.4; margin: 1em 0 0.8em; text-align: center; text-indent: 0; page-break-after: avoid; }
h1 { font-size: 1.5em; } h2 { font-size: 1.3em; } h3 { font-size: 1.15em; }
pre { white-space: pre-wrap; line-height: 1.4; } li p, td p, th p { text-indent: 0; }
table { border-collapse: collapse; } td, th { border: 1px solid #999; padding: 0.2em 0.5em; }
img { max-width: 100%; }`

function chapterXhtml(title: string, body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head><body>
${body}
</body></html>`
}

function packageXml({ title, author }: Book, names: string[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">book</dc:identifier><dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(author)}</dc:creator><dc:language>zh</dc:language></metadata>
<manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="css" href="style.css" media-type="text/css"/>
${names.map((name, index) => `<item id="c${index + 1}" href="${name}" media-type="application/xhtml+xml"/>`).join('\n')}
</manifest><spine toc="ncx">${names.map((_, index) => `<itemref idref="c${index + 1}"/>`).join('')}</spine></package>`
}

/** Each point is nested in the last one of a higher level. */
function ncxXml({ title }: Book, outline: { title: string; level: number; name: string }[]): string {
  let open: number[] = []
  let points = ''
  for (const [index, entry] of outline.entries()) {
    const parents = open.filter((level) => level < entry.level)
    points += '</navPoint>'.repeat(open.length - parents.length)
    open = [...parents, entry.level]
    points += `<navPoint id="n${index}" playOrder="${index + 1}"><navLabel><text>${escapeXml(entry.title)}</text></navLabel><content src="${entry.name}"/>\n`
  }
  points += '</navPoint>'.repeat(open.length)
  return `<?xml version="1.0" encoding="utf-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head/><docTitle><text>${escapeXml(title)}</text></docTitle><navMap>${points}</navMap></ncx>`
}
