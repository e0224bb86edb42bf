/** The storage keys of renditions. */

/** Everything that was converted from one content. */
export function renditionPrefix(hash: string): string {
  return `renditions/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}/`
}

/** Everything of one conversion. */
export function revisionPrefix(hash: string, revision: number): string {
  return `${renditionPrefix(hash)}${revision}/`
}

/** The file that pages are rendered from, where it is derived from the upload. */
export function sourceKey(hash: string, revision: number, type: string): string {
  return `${revisionPrefix(hash, revision)}book.${type}`
}

export function coverKey(hash: string, revision: number): string {
  return `${revisionPrefix(hash, revision)}cover.webp`
}

/** Page sizes and outline. */
export function layoutKey(hash: string, revision: number): string {
  return `${revisionPrefix(hash, revision)}plan.json`
}

/** Text with positions is stored in slices of pages, so that a page is read without reading all. */
export const pagesPerSlice = 20

/** Text with the structure of the book itself, in the same slices. Those in `blocks/` had no pictures. */
export function blockSliceKey(hash: string, revision: number, page: number): string {
  return `${revisionPrefix(hash, revision)}structure/${Math.floor((page - 1) / pagesPerSlice)}.json.gz`
}

export function textSliceKey(hash: string, revision: number, page: number): string {
  return `${revisionPrefix(hash, revision)}lines/${Math.floor((page - 1) / pagesPerSlice)}.json.gz`
}

/** The cells of a spreadsheet: slices of rows, and where they are. There is a table where there is an index. */
export function tableKey(hash: string, revision: number): string {
  return `${revisionPrefix(hash, revision)}table.bin`
}

export function tableIndexKey(hash: string, revision: number): string {
  return `${revisionPrefix(hash, revision)}table.json`
}
