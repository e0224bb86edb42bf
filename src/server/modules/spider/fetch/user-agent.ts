import type { Settings } from '#shared/settings.ts'
import { version } from '#server/version.ts'

/** What the crawler calls itself: the owner's text, or its name with the address of the page that explains it. */
export function getUserAgent({ spider, system }: Settings): string {
  // A header holds nothing else.
  const own = spider.user_agent.replace(/[^ -~]/g, '').trim()
  if (own !== '') return own
  const page = URL.parse('/spider', system.domain)
  return `WendouBot/${version}${page ? ` (+${page.href})` : ''}`
}

/** The name that robots.txt knows it by. */
export function getProduct(settings: Settings): string {
  const [product = ''] = getUserAgent(settings).split(/[\s/]/, 1)
  return product
}
