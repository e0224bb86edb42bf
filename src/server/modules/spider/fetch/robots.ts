/**
 * robots.txt by RFC 9309: which addresses of an origin a crawler may request.
 */
export interface RobotsRules {
  isAllowed(url: URL): boolean
  /** Not of the RFC, but wide-spread; 0 when there is none. */
  crawlDelayMs: number
  /** As written: they should be absolute, but are not always. */
  sitemaps: readonly string[]
}

/** What must be parsed at least is also what is parsed at most. */
export const maxRobotsBytes = 500 * 1024
const maxCrawlDelayMs = 60_000
const maxSitemaps = 100

export const allAllowed: RobotsRules = { isAllowed: () => true, crawlDelayMs: 0, sitemaps: [] }
/** But for robots.txt itself. */
export const nothingAllowed: RobotsRules = { isAllowed: isRobotsFile, crawlDelayMs: 0, sitemaps: [] }

/** `product` is the crawler's name without its version. */
export function parseRobots(text: string, product: string): RobotsRules {
  const { groups, sitemaps } = readGroups(text)
  const named = groups.filter(({ agents }) => agents.has(product.toLowerCase()))
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.has('*'))
  const rules = own.flatMap((group) => group.rules)
  return {
    isAllowed: (url) => isRobotsFile(url) || decide(rules, url),
    crawlDelayMs: Math.max(0, ...own.map(({ crawlDelayMs }) => crawlDelayMs)),
    sitemaps,
  }
}

interface Rule {
  isAllowing: boolean
  /** The more octets a pattern has, the more specific it is. */
  length: number
  matches(path: string): boolean
}

interface Group {
  /** In lower case. */
  agents: Set<string>
  rules: Rule[]
  crawlDelayMs: number
}

function readGroups(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  // Only rules, and the delay among them, end the list of a group's agents: other records, which may stand anywhere, do not.
  let isListingAgents = false
  for (const [key, value] of readRecords(text)) {
    const group = groups.at(-1)
    if (key === 'user-agent') {
      const agent = toProduct(value)
      if (isListingAgents) group?.agents.add(agent)
      else groups.push({ agents: new Set([agent]), rules: [], crawlDelayMs: 0 })
      isListingAgents = true
    } else if (key === 'allow' || key === 'disallow') {
      isListingAgents = false
      if (group && value !== '') group.rules.push(toRule(value, key === 'allow'))
    } else if (key === 'crawl-delay') {
      isListingAgents = false
      if (group) group.crawlDelayMs = Math.max(group.crawlDelayMs, toDelay(value))
    } else if (key === 'sitemap' && value !== '' && sitemaps.length < maxSitemaps) sitemaps.push(value)
  }
  return { groups, sitemaps }
}

function* readRecords(text: string): Generator<[key: string, value: string]> {
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [record = ''] = line.split('#', 1)
    const colon = record.indexOf(':')
    if (colon > 0) yield [record.slice(0, colon).trim().toLowerCase(), record.slice(colon + 1).trim()]
  }
}

/** Site owners also write versions and comments behind the name. */
function toProduct(value: string): string {
  const [product = ''] = value.toLowerCase().split(/[\s/]/, 1)
  return product
}

function toDelay(value: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0
  return Math.min(Math.round(seconds * 1000), maxCrawlDelayMs)
}

function isRobotsFile({ pathname }: URL): boolean {
  return pathname === '/robots.txt'
}

/** The longest match wins; of two equally long ones the one that allows. */
function decide(rules: readonly Rule[], { pathname, search }: URL): boolean {
  // In a path these two characters mean themselves.
  const path = normalise(pathname + search)
    .replaceAll('*', '%2A')
    .replaceAll('$', '%24')
  let best: Rule | undefined
  for (const rule of rules) {
    const isBetter = !best || rule.length > best.length || (rule.length === best.length && rule.isAllowing)
    if (isBetter && rule.matches(path)) best = rule
  }
  return best?.isAllowing ?? true
}

/** `*` is any number of any characters, `$` at the end is the end of the address. */
function toRule(value: string, isAllowing: boolean): Rule {
  const isAnchored = value.endsWith('$')
  const pattern = normalise(isAnchored ? value.slice(0, -1) : value).replaceAll('$', '%24')
  const [start = '', ...others] = pattern.split('*')
  const end = isAnchored ? others.pop() : undefined
  const middle = others.filter((part) => part !== '')
  return {
    isAllowing,
    length: pattern.length + Number(isAnchored),
    matches(path) {
      if (!path.startsWith(start)) return false
      if (isAnchored && end === undefined) return path === start
      // The first place for each part is the best one, so none has to be tried again.
      let at = start.length
      for (const part of middle) {
        const found = path.indexOf(part, at)
        if (found < 0) return false
        at = found + part.length
      }
      return end === undefined || (path.endsWith(end) && path.length - end.length >= at)
    },
  }
}

/** One spelling for each address: letters, digits and `-._~` as they are, percent-encoding in capitals. */
function normalise(text: string): string {
  return text.toWellFormed().replace(/%[\da-f]{2}|[^!-~]|["<>\\^`{|}]/giu, (part) => {
    const encoded = (part.length === 3 && part.startsWith('%') ? part : encodeURIComponent(part)).toUpperCase()
    const char = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return encoded.length === 3 && /[\w.~-]/.test(char) ? char : encoded
  })
}
