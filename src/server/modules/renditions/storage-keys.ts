/** Where what was made of a document's content is kept in the storage. */

/** Everything that was made of one content. */
export function renditionPrefix(hash: string): string {
  return `renditions/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}/`
}

/** Everything that one conversion has made of it. */
export function revisionPrefix(hash: string, revision: number): string {
  return `${renditionPrefix(hash)}${revision}/`
}

/** What the renderer opens, where it is not the source itself. */
export function bookKey(hash: string, revision: number, type: string): string {
  return `${revisionPrefix(hash, revision)}book.${type}`
}

export function coverKey(hash: string, revision: number): string {
  return `${revisionPrefix(hash, revision)}cover.webp`
}

/** Page sizes and outline. */
export function planKey(hash: string, revision: number): string {
  return `${revisionPrefix(hash, revision)}plan.json`
}

/** Text with positions comes in slices of pages, so that a page is found without reading all. */
export const pagesPerSlice = 20

export function linesKey(hash: string, revision: number, page: number): string {
  return `${revisionPrefix(hash, revision)}lines/${Math.floor((page - 1) / pagesPerSlice)}.json.gz`
}
