import type { ByteReader } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'
import { type Budget, readEntry, type ZipEntry } from '../archives/zip.ts'

/** Font obfuscation is not encryption: e-readers undo it without a key. */
const fontObfuscation = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

/** An EPUB obfuscates a few fonts at most; a longer list belongs to a book that is encrypted as a whole (DRM). */
const maxListBytes = 256e3

/** Refuses books with DRM and those without a package document. */
export async function assertReadableEpub(bytes: ByteReader, entries: ZipEntry[], budget: Budget): Promise<void> {
  const wrapper = findWrapperFolder(entries)
  const container = entries.find(({ name }) => name === `${wrapper}META-INF/container.xml`)
  const paths = container
    ? (await readEntry(bytes, container, { maxBytes: maxListBytes, budget }))
        .toString('utf8')
        .matchAll(/full-path\s{0,9}=\s{0,9}["']([^"']{1,1000})/g)
    : []
  const names = new Set(entries.map(({ name }) => name))
  if (![...paths].some(([, path]) => names.has(`${wrapper}${path}`)))
    throw new Unconvertible('damaged', 'epub: no package')

  const entry = entries.find(({ name }) => /^([^/]+\/)?META-INF\/encryption\.xml$/.test(name))
  if (!entry) return
  if (entry.size > maxListBytes) throw new Unconvertible('encrypted', 'epub')
  const text = (await readEntry(bytes, entry, { maxBytes: maxListBytes, budget })).toString('utf8')
  for (const tag of text.split('<')) {
    const method = /^(?:[\w-]{1,40}:)?EncryptionMethod\s[^>]{0,200}?Algorithm\s{0,9}=\s{0,9}["']([^"']{1,200})/.exec(
      tag,
    )?.[1]
    if (method && !fontObfuscation.has(method)) throw new Unconvertible('encrypted', 'epub')
  }
}

/** The folder that was packed instead of its content, with a slash at the end; empty for a proper EPUB. */
export function findWrapperFolder(entries: { name: string }[]): string {
  const container = entries.find(({ name }) => /^([^/]+\/)?META-INF\/container\.xml$/.test(name))
  return container?.name.slice(0, -'META-INF/container.xml'.length) ?? ''
}
