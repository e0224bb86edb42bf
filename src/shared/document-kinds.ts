/** Kinds of documents by extension: their labels, and the list filters they belong to. */

export const documentKinds = {
  pdf: { label: 'PDF', wire: 'pdf', exts: ['.pdf'] },
  word: { label: 'Word', wire: 'doc', exts: ['.doc', '.docx', '.rtf', '.wps', '.odt', '.dot'] },
  ppt: { label: 'PPT', wire: 'ppt', exts: ['.ppt', '.pptx', '.pps', '.ppsx', '.dps', '.odp', '.pot'] },
  excel: { label: 'Excel', wire: 'xls', exts: ['.xls', '.xlsx', '.et', '.ods', '.csv', '.tsv'] },
  text: { label: 'TXT', wire: 'txt', exts: ['.txt', '.md', '.markdown'] },
  epub: { label: 'EPUB', wire: 'other', exts: ['.epub'] },
  mobi: { label: 'MOBI', wire: 'other', exts: ['.mobi'] },
  chm: { label: 'CHM', wire: 'other', exts: ['.chm'] },
  umd: { label: 'UMD', wire: 'other', exts: ['.umd'] },
  other: { label: '其他', wire: 'other', exts: ['.azw', '.azw3', '.azw4'] },
} as const satisfies Record<string, { label: string; wire: string; exts: readonly string[] }>

export type DocumentKind = keyof typeof documentKinds

const flowing: ReadonlySet<DocumentKind> = new Set(['text', 'epub', 'mobi', 'umd'])

/** Whether a file has text without pages of its own: those that are shown were made for a screen of paper's size. */
export function isFlowing(ext: string): boolean {
  return flowing.has(getDocumentKind(ext)) || documentKinds.other.exts.some((one) => one === ext)
}

/** The values of a list's `ext` filter, as API clients know them. */
export const kindFilters = { pdf: 'PDF', doc: 'Word', ppt: 'PPT', xls: 'Excel', txt: 'TXT', other: '其他' } as const
export type KindFilter = keyof typeof kindFilters

/** Every extension that may be uploaded, with its dot. */
export const documentExts: readonly string[] = Object.values(documentKinds).flatMap(({ exts }) => exts)

export function getDocumentKind(ext: string): DocumentKind {
  const entry = Object.entries(documentKinds).find(([, { exts }]) => (exts as readonly string[]).includes(ext))
  return entry ? (entry[0] as DocumentKind) : 'other'
}

export function getFilterExts(filter: string): readonly string[] {
  return Object.values(documentKinds)
    .filter(({ wire }) => wire === filter)
    .flatMap(({ exts }) => exts as readonly string[])
}

/** The extension of a file's name in lower case, with its dot; empty when it has none. */
export function getExt(name: string): string {
  return /\.[a-z0-9]{1,10}$/i.exec(name.trim())?.[0].toLowerCase() ?? ''
}

/** A file's name without its extension, as a first title. */
export function toTitle(name: string): string {
  const bare = name.replace(/^.*[\\/]/, '')
  return bare.slice(0, bare.length - getExt(bare).length).trim() || bare
}
