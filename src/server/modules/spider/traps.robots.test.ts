import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { openTrapSite } from '#server/testing/spider/trap-site.ts'
import { robotsKinds } from '#server/testing/spider/traps/robots.ts'

/** robots.txt of all kinds, at the log of the site that sends it. */

let site: SpiderSite
beforeAll(async () => {
  site = await openSpiderSite()
})
afterAll(() => site.close())

const everything = ['/closed/but-allowed.html', '/closed/page.html', '/list.html', '/open.html']
const requested = {
  all: everything,
  none: [],
  'by-rules': everything.filter((path) => path !== '/closed/page.html'),
}

test.each(Object.entries(robotsKinds))('robots.txt: %s', async (_, { trap, permitted }) => {
  const opened = await openTrapSite(trap)
  onTestFinished(() => opened.close())
  const source = await site.start({ start: opened.starts })
  await site.runDueJobs()
  const pages = opened.paths().filter((path) => !path.endsWith('robots.txt'))
  expect(pages.toSorted()).toEqual(requested[permitted])
  // Asked for once, however many pages there are, but for redirects.
  expect(opened.paths().filter((path) => path === '/robots.txt').length).toBeLessThanOrEqual(6)
  const { urls } = await site.look(source)
  for (const [path, { reason }] of Object.entries(urls)) {
    expect(reason, path).toMatch(pages.includes(path) ? /^$/ : /^robots(_unknown)?$/)
  }
})
