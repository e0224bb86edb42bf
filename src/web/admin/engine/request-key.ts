/** Makes a request that is sent twice count once. `crypto.randomUUID` exists on secure origins alone; a site in an intranet may have none. */
export function createKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')
}
