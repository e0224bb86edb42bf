import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { differences, fillShelf, hurried, pathsOf, recruit, writeUntil } from './crowd.ts'
import { commandLine, configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Many who write and read at once. `npm run bench:soak` does it with more of them, and for longer. */

const owner = { username: 'admin', password: 'owner password' }
const proxies = { TRUST_PROXY: '127.0.0.1,::1' }
let site: RunningSite | undefined
afterEach(async () => {
  await site?.stop()
  site = undefined
})

test.each(['sqlite', 'postgres'] as const)(
  'fifty people write at once while others read: nobody meets an error, and all they wrote is there (%s)',
  async (engine) => {
    site = await startSite(engine, { ADMIN_PASSWORD: owner.password, ...proxies })
    await configure(site, hurried)
    const shelf = await fillShelf(site.url, owner, 2)
    const writers = await recruit(site.url, 50)
    const reading = new AbortController()
    const readers = readAll(site.url, pathsOf(shelf), reading.signal)
    const written = await writeUntil((turn) => turn >= 6, writers, shelf)
    reading.abort()
    expect(await readers).toEqual([])
    expect(written.errors).toEqual([])
    expect(written.times).toHaveLength(300)
    expect(written).toMatchObject({ documents: 5, signs: 50 })
    expect(await differences(site.db, written)).toEqual([])
    expect(site.output()).not.toMatch(/locked|deadlock|"level":"error"/)
    expect(await commandLine(site, 'check', '--quick')).toBe('检查完成：没有问题。\n')
  },
)

/** One reader for each address, again and again; what was not answered well is told. */
async function readAll(url: string, paths: string[], enough: AbortSignal): Promise<string[]> {
  const bad: string[] = []
  const read = async (path: string, number: number) => {
    while (!enough.aborted) {
      const response = await fetch(url + path, { headers: { 'x-forwarded-for': `10.2.0.${number + 1}` } })
      await response.arrayBuffer()
      if (!response.ok) bad.push(`${path}: ${response.status}`)
      await setTimeout(50)
    }
  }
  await Promise.all(paths.map(read))
  return bad
}
