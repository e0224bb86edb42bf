import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import {
  findDifferences,
  addContent,
  settingsForLoad,
  popularPaths,
  registerWriters,
  writeUntil,
} from './load-users.ts'
import { runCli, configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Many concurrent writers and readers. `npm run bench:soak` does it with more of them, and for longer. */

const owner = { username: 'admin', password: 'owner password' }
const proxies = { TRUST_PROXY: '127.0.0.1,::1' }
let site: RunningSite | undefined
afterEach(async () => {
  await site?.stop()
  site = undefined
})

test.each(['sqlite', 'postgres'] as const)(
  'fifty members write at once while visitors read: no request fails, and every write is there (%s)',
  async (engine) => {
    site = await startSite(engine, { ADMIN_PASSWORD: owner.password, ...proxies })
    await configure(site, settingsForLoad)
    const content = await addContent(site.url, owner, 2)
    const writers = await registerWriters(site.url, 50)
    const reading = new AbortController()
    const readers = readAll(site.url, popularPaths(content), reading.signal)
    const written = await writeUntil((turn) => turn >= 6, writers, content)
    reading.abort()
    expect(await readers).toEqual([])
    expect(written.errors).toEqual([])
    expect(written.times).toHaveLength(300)
    expect(written).toMatchObject({ documents: 5, signs: 50 })
    expect(await findDifferences(site.db, written)).toEqual([])
    expect(site.output()).not.toMatch(/locked|deadlock|"level":"error"/)
    expect(await runCli(site, 'check', '--quick')).toBe('检查完成：没有问题。\n')
  },
)

/** One reader for each path, repeatedly, as ever new visitors: each has limits of their own. Gives the failures. */
async function readAll(url: string, paths: string[], enough: AbortSignal): Promise<string[]> {
  const bad: string[] = []
  const read = async (path: string, number: number) => {
    for (let turn = 0; !enough.aborted; turn += 1) {
      const response = await fetch(url + path, { headers: { 'x-forwarded-for': `10.2.${turn % 250}.${number + 1}` } })
      await response.arrayBuffer()
      if (!response.ok) bad.push(`${path}: ${response.status}`)
      await setTimeout(50)
    }
  }
  await Promise.all(paths.map(read))
  return bad
}
