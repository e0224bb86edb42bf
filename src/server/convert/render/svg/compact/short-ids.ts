const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** a, b, … Z, aa, ab, … */
export function shortId(n: number): string {
  let id = ''
  for (let rest = n; rest >= 0; rest = Math.floor(rest / letters.length) - 1)
    id = `${letters[rest % letters.length]}${id}`
  return id
}

/** Maps ids to short ones, from the `first`-th on. */
export function shortIds(first: number): (id: string) => string {
  const ids = new Map<string, string>()
  return (id) => {
    let short = ids.get(id)
    if (short === undefined) ids.set(id, (short = shortId(first + ids.size)))
    return short
  }
}
