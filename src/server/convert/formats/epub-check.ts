import type { Bytes } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'
import { type Budget, readEntry, type ZipEntry } from '../archives/zip.ts'

/** Fonts may be scrambled, so that they are not taken out of the book; readers undo it without a key. */
const fontScrambling = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

/** A book scrambles a few fonts; a list longer than this is one of all that a shop has locked. */
const listLimit = 256e3

/** Refuses books that only their shop can open, and those whose list of parts is not there. */
export async function lookIntoEpub(bytes: Bytes, entries: ZipEntry[], budget: Budget): Promise<void> {
  const wrapper = wrapperOf(entries)
  const container = entries.find(({ name }) => name === `${wrapper}META-INF/container.xml`)
  const places = container
    ? (await readEntry(bytes, container, { limit: listLimit, budget }))
        .toString('utf8')
        .matchAll(/full-path\s{0,9}=\s{0,9}["']([^"']{1,1000})/g)
    : []
  const names = new Set(entries.map(({ name }) => name))
  if (![...places].some(([, place]) => names.has(`${wrapper}${place}`)))
    throw new Unconvertible('damaged', 'epub: no package')

  const entry = entries.find(({ name }) => /^([^/]+\/)?META-INF\/encryption\.xml$/.test(name))
  if (!entry) return
  if (entry.size > listLimit) throw new Unconvertible('encrypted', 'epub')
  const text = (await readEntry(bytes, entry, { limit: listLimit, budget })).toString('utf8')
  for (const tag of text.split('<')) {
    const method = /^(?:[\w-]{1,40}:)?EncryptionMethod\s[^>]{0,200}?Algorithm\s{0,9}=\s{0,9}["']([^"']{1,200})/.exec(
      tag,
    )?.[1]
    if (method && !fontScrambling.has(method)) throw new Unconvertible('encrypted', 'epub')
  }
}

/** The folder that somebody packed instead of its content, with its slash; empty for a proper book. */
export function wrapperOf(entries: { name: string }[]): string {
  const container = entries.find(({ name }) => /^([^/]+\/)?META-INF\/container\.xml$/.test(name))
  return container?.name.slice(0, -'META-INF/container.xml'.length) ?? ''
}
