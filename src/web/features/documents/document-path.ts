/** Where a document is read. */
export function documentPath({ uuid }: { uuid: string }): string {
  return `/document/${uuid}`
}
