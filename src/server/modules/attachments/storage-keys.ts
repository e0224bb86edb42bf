/** Where content is kept in the storage: by its hash, never by a name somebody gave it. */
export function contentKey(hash: string): string {
  return `files/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`
}
