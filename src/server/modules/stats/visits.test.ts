import { searches } from '#shared/contract/search.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toDay } from '#server/days.ts'
import { eventBus } from '#server/events.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { stats } from '#shared/contract/stats.ts'
import { openLog } from '#server/log.ts'
import { openVisitorCounter } from './visitor-counter.ts'
import { purgeVisitors } from './stats.jobs.ts'
import { openDailyCounters } from './daily-counters.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
  site.freezeClock()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('daily_count').execute()
  await site.db.deleteFrom('daily_visitor').execute()
  // Each test has a day of its own: who came yesterday is forgotten.
  site.advanceClock(2 * 86_400_000)
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'

interface Visit {
  ip?: string
  userAgent?: string
}

/** As the browser's beacon sends it: plain text, without a token. */
async function look(path: string, { ip = '10.0.0.1', userAgent = firefox }: Visit = {}) {
  const headers = { 'content-type': 'text/plain;charset=UTF-8', ...(userAgent && { 'user-agent': userAgent }) }
  const { status } = await site.send('POST', '/api/v1/visit', { ip, headers, body: { path } })
  return status
}

async function today() {
  const { day } = await site.root.call(stats.trend)
  return day.at(-1) ?? expect.fail('there is always a today')
}

test('searches are counted, whether records are kept or not', async () => {
  await site.configure({ 'security.search_record_retention_days': '0' })
  await site.call(searches.documents, { wd: '水稻' })
  await expect.poll(today, { timeout: 5000 }).toMatchObject({ search: 1 })
})

describe('visits', () => {
  test('are counted as views, and each person once a day', async () => {
    for (const path of ['/', '/document/abc', '/search?wd=x']) expect(await look(path)).toBe(200)
    await look('/', { ip: '10.0.0.2' })
    await look('/', { ip: '10.0.0.1', userAgent: phone })
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 5, visitor: 3 })
  })

  test('of one subscriber are those of one visitor, whichever of their addresses they use', async () => {
    await look('/', { ip: '2001:db8:1:2::1' })
    await look('/', { ip: '2001:db8:1:2:ffff::9' })
    await look('/', { ip: '2001:db8:1:3::1' })
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 3, visitor: 2 })
  })

  test('are not those of search engines, of bots, or without a user agent', async () => {
    for (const userAgent of [
      'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
      'Mozilla/5.0 (Linux; Android 6.0.1) Chrome/120.0 Mobile Safari/537.36 (compatible; Googlebot/2.1)',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/141.0.0.0 Safari/537.36',
      'curl/8.5.0',
      'python-requests/2.32',
      '',
    ])
      expect(await look('/', { userAgent })).toBe(200)
    await look('/', { userAgent: `${phone} CUBOT NOTE 20` })
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 1, visitor: 1 })
  })

  test('of the back office and of people to their own things are not counted', async () => {
    for (const path of ['/admin', '/admin/dashboard', '/me', '/me/document?page=2', 'https://elsewhere.example/'])
      expect(await look(path)).toBe(200)
    await look('/menu')
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 1, visitor: 1 })
  })

  test('begin anew each day, and who came before is forgotten', async () => {
    await look('/')
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ visitor: 1 })
    site.advanceClock(86_400_000)
    await look('/')
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 1, visitor: 1 })
    const marks = () => site.db.selectFrom('daily_visitor').selectAll().execute()
    const [first, second] = await marks()
    expect(first?.visitor_hash).not.toBe(second?.visitor_hash)
    expect(JSON.stringify(await marks())).not.toContain('10.0.0.1')
    const ctx = await site.app.context()
    await purgeVisitors(ctx)
    expect((await marks()).map(({ day }) => day)).toEqual([toDay(ctx.now())])
    const { day } = await site.root.call(stats.trend)
    expect(day.slice(-2)).toMatchObject([
      { view: 1, visitor: 1 },
      { view: 1, visitor: 1 },
    ])
  })

  test('of one network are believed up to a number, whatever it calls itself', async () => {
    const { keys, now, log } = await site.app.context()
    const events = eventBus(log)
    const counters = openDailyCounters({ db: site.db, events, keys, log, now })
    for (let n = 0; n < 10_100; n++) events.emit('page.viewed', { network: '10.0.0.1', userAgent: `${firefox} ${n}` })
    events.emit('page.viewed', { network: '10.0.0.2', userAgent: firefox })
    await Promise.resolve()
    await counters.close()
    expect(await today()).toMatchObject({ view: 10_001, visitor: 51 })
    expect(await site.db.selectFrom('daily_visitor').selectAll().execute()).toHaveLength(51)
  })

  test('of ever more networks are views alone, once so many people have come', () => {
    const { count } = openVisitorCounter({ visitorsPerNetwork: 2, viewsPerNetwork: 3, visitors: 3 })
    const networks = ['a', 'b', 'c', 'd', 'e']
    expect(networks.map((network) => count(network, network).visitor)).toEqual([true, true, true, false, false])
    expect(networks.map((network) => count(network, network).view)).toEqual([true, true, true, true, true])
  })

  test('of days before are forgotten however many there were', async () => {
    const ctx = await site.app.context()
    const day = toDay(ctx.now())
    const rows = Array.from({ length: 12_000 }, (_, n) => ({ day: day - 1 - (n % 2), visitor_hash: `m${n}` }))
    for (let at = 0; at < rows.length; at += 1000)
      await site.db
        .insertInto('daily_visitor')
        .values(rows.slice(at, at + 1000))
        .execute()
    await site.db.insertInto('daily_visitor').values({ day, visitor_hash: 'today' }).execute()
    await purgeVisitors(ctx)
    expect(await site.db.selectFrom('daily_visitor').select('visitor_hash').execute()).toEqual([
      { visitor_hash: 'today' },
    ])
  })

  test('to several processes are one visitor', async () => {
    const other = await site.openSecondProcess()
    await look('/')
    const headers = { 'user-agent': firefox }
    const body = JSON.stringify({ path: '/' })
    await other.fetch(new Request('http://localhost/api/v1/visit', { method: 'POST', headers, body }), {
      incoming: { socket: { remoteAddress: '10.0.0.1' } } as never,
    })
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 2, visitor: 1 })
  })

  test('are none while the site is closed, and those of members where it asks for login', async () => {
    await site.configure({ 'security.is_close': 'true' })
    expect(await look('/')).toBe(200)
    await site.configure({ 'security.is_close': 'false', 'security.login_required': 'true' })
    expect(await look('/login')).toBe(200)
    await site.configure({ 'security.login_required': 'false' })
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 1, visitor: 1 })
  })

  test('of the last moment are written when the site stops', async () => {
    const { keys, now, log } = await site.app.context()
    const events = eventBus(log)
    const counters = openDailyCounters({ db: site.db, events, keys, log, now })
    events.emit('page.viewed', { network: '10.0.0.1', userAgent: firefox })
    // Listeners run after who told them.
    await Promise.resolve()
    await counters.close()
    expect(await today()).toMatchObject({ view: 1, visitor: 1 })
  })

  test('that cannot be written are written later', async () => {
    const { keys, now, log } = await site.app.context()
    const events = eventBus(log)
    const counters = openDailyCounters({ db: site.db, events, keys, log, now })
    await site.db.schema.alterTable('daily_count').renameTo('daily_count_away').execute()
    events.emit('page.viewed', { network: '10.0.0.1', userAgent: firefox })
    await new Promise((resolve) => setTimeout(resolve, 1300))
    await site.db.schema.alterTable('daily_count_away').renameTo('daily_count').execute()
    // By itself: nothing else happens.
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ view: 1, visitor: 1 })
    await counters.close()
  })

  test('that cannot be written when the site stops are called lost', async () => {
    const { keys, now } = await site.app.context()
    const lines: string[] = []
    const log = openLog('warn', { write: (line) => lines.push(line) })
    const events = eventBus(log)
    const counters = openDailyCounters({ db: site.db, events, keys, log, now })
    await site.db.schema.alterTable('daily_count').renameTo('daily_count_away').execute()
    events.emit('page.viewed', { network: '10.0.0.1', userAgent: firefox })
    await Promise.resolve()
    await counters.close()
    await site.db.schema.alterTable('daily_count_away').renameTo('daily_count').execute()
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'error', msg: 'last daily counts lost', lost: { view: 1 } },
    ])
  })
})
