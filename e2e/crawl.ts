/** Follows every address of a site's own pages, as a search engine would, without running any script. */
export async function crawl(
  origin: string,
  from: readonly string[],
): Promise<{ addresses: string[]; broken: string[] }> {
  const seen = new Set<string>()
  const looks = new Set<string>()
  const broken: string[] = []
  let wave = from.map((path) => ({ url: new URL(path, origin), by: 'start' }))
  while (wave.length > 0) {
    const fresh = wave.filter(({ url }) => {
      const isNew = url.origin === origin && !seen.has(url.href) && !looks.has(queryShape(url))
      seen.add(url.href)
      if (url.search) looks.add(queryShape(url))
      return isNew
    })
    if (seen.size > maxAddresses) throw new Error(`more than ${maxAddresses} addresses`)
    wave = (
      await mapConcurrently(fresh, 8, async ({ url, by }) => {
        const response = await fetch(url)
        const type = response.headers.get('content-type') ?? ''
        const body = /html|xml|json/.test(type) ? await response.text() : (await response.arrayBuffer()) && ''
        if (!response.ok) broken.push(`${response.status} ${url.pathname}${url.search} on ${by}`)
        return extractAddresses(body, type).map((address) => ({
          url: new URL(address, response.url),
          by: url.pathname,
        }))
      })
    ).flat()
  }
  return { addresses: [...seen], broken }
}

const maxAddresses = 2000

/** Filters multiply: one page for each set of query keys is enough. */
function queryShape({ pathname, searchParams }: URL): string {
  return searchParams.size === 0 ? '' : `${pathname}?${[...searchParams.keys()].toSorted().join('&')}`
}

function extractAddresses(body: string, type: string): string[] {
  const text = body.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"')
  const found = type.includes('html')
    ? [
        ...matches(
          text,
          /<(?:a|link|img|script|source|iframe|form|video|audio)\b[^>]*?\s(?:href|src|action|poster)="([^"]*)"/g,
        ),
        ...matches(text, /\ssrcset="([^"]*)"/gi).flatMap((set) =>
          set.split(',').map((one) => one.trim().split(' ')[0] ?? ''),
        ),
        ...matches(text, /<meta property="og:(?:image|url)" content="([^"]*)"/g),
      ]
    : type.includes('manifest')
      ? matches(text, /"(?:src|start_url|scope)":\s*"([^"]*)"/g)
      : [...matches(text, /<(?:loc|link|id|url)>([^<]*)</g), ...matches(text, /\shref="([^"]*)"/g)]
  return found.filter((address) => address !== '' && !/^(?:#|mailto:|tel:|data:|urn:|tag:)/.test(address))
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}

async function mapConcurrently<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = [...items]
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.push(await work(item))
    }),
  )
  return results
}
