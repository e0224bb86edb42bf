/** Directives with a value look like the name of a crawler. */
const withValue = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/** The header `X-Robots-Tag`: directives for all crawlers, and for those that are named before them. */
export function readRobotsTag(
  header: string | string[] | undefined,
  product: string,
): { noindex: boolean; nofollow: boolean } {
  const directives = new Set<string>()
  let agent = ''
  for (const part of String(header ?? '')
    .toLowerCase()
    .split(',')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(colon, 0)).trim()
    const isNamed = colon >= 0 && !withValue.has(name)
    if (isNamed) agent = name
    if (agent === '' || agent === '*' || agent === product.toLowerCase())
      directives.add((isNamed ? part.slice(colon + 1) : part).trim())
  }
  const has = (directive: string) => directives.has(directive) || directives.has('none')
  return { noindex: has('noindex'), nofollow: has('nofollow') }
}
