/** The part of a list's address that a view keeps: filters and order, but neither the page nor an open form. */
export function toViewQuery(params: URLSearchParams): string {
  const kept = new URLSearchParams(params)
  for (const key of ['page', 'size', 'new']) kept.delete(key)
  kept.sort()
  return kept.toString()
}
