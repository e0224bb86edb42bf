/** Content is stored by its hash, never by the name of an upload. */
export function contentKey(hash: string): string {
  return `files/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`
}
