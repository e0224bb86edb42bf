import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { client } from '#shared/client.ts'
import { groups } from '#shared/contract/access.ts'
import { orders } from '#shared/contract/orders.ts'
import { users } from '#shared/contract/users.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { startPostgres } from '../src/server/testing/databases/postgres.ts'
import { startWeChatSimulator } from '../src/server/testing/pay/wechat-simulator.ts'
import { settingsForLoad } from '../e2e/load-users.ts'
import { startServer } from './server.ts'

/**
 * How many notices of WeChat Pay a site settles in a second, and how long the slowest wait. Every notice settles an order of
 * its own, and is sent twice; the balance at the end tells whether each was settled once.
 */

const { values } = parseArgs({
  options: {
    notices: { type: 'string', default: '1000' },
    parallel: { type: 'string', default: '50' },
    only: { type: 'string' },
  },
})
const [notices, parallel] = [Number(values.notices), Number(values.parallel)]
const credits = 10
/** A member may not have any number of pending orders. */
const ordersOfOne = 40
const owner = { username: 'admin', password: 'bench-password' }

if (values.only !== 'postgres') await measure('SQLite', '')
if (values.only !== 'sqlite') {
  const postgres = await startPostgres()
  await measure('PostgreSQL', postgres.url)
  await postgres.stop()
}

async function measure(name: string, databaseUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-orders-'))
  const port = 20_000 + (process.pid % 20_000)
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    ADMIN_PASSWORD: owner.password,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
  }
  const wechat = await startWeChatSimulator()
  const server = await startServer(env, { url, logTo: join(folder, 'log') })
  try {
    configure(env, { ...settingsForLoad, 'system.domain': url, ...prefixed(wechat.settings) })
    await sleep(1000)
    // Each from an address of its own: what an address may do is limited.
    const logIn = async (person: typeof owner, address: string) => {
      const from = (request: Request) => {
        request.headers.set('x-forwarded-for', address)
        return fetch(request)
      }
      const { token } = await client({ origin: url, fetch: from })(users.login, person)
      return client({ origin: url, token: () => token, fetch: from })
    }
    const call = await logIn(owner, '10.200.0.1')
    const { group } = await call(groups.list)
    const members = group.filter(({ is_default }) => is_default).map(({ id }) => id)
    const buyers = await inParallel(Math.ceil(notices / ordersOfOne), 2, async (index) => {
      const person = { username: `buyer-${index}`, password: `password of ${index}` }
      await call(users.create, { ...person, email: '', group_id: members })
      return logIn(person, `10.${index}.0.1`)
    })
    const countCredits = async () => {
      const own = await inParallel(buyers.length, 5, async (index) => (await buyerOf(index)(users.get)).credit_count)
      return own.reduce((sum, count) => sum + count, 0)
    }
    const buyerOf = (index: number) => buyers[index % buyers.length] ?? call
    const attempts = await inParallel(notices, 10, async (index) => {
      // Other numbers of credits: the same thing twice would be the same order.
      const quantity = credits + index
      const buyer = buyerOf(index)
      const { order_no } = await buyer(orders.create, { order_type: OrderType.TopUp, quantity })
      await buyer(orders.pay, { order_no, payment_type: PaymentMethod.WeChatPay })
    }).then(() => wechat.calls.filter(({ call }) => call === 'create').map(({ attemptNo }) => attemptNo))
    // Read first: the site asks about open payments by itself.
    const before = await countCredits()
    for (const attemptNo of attempts) wechat.pay(attemptNo)
    const times: number[] = []
    const startedAt = performance.now()
    await inParallel(attempts.length, parallel, async (index) => {
      const sentAt = performance.now()
      const { status } = await wechat.notify(attempts[index] ?? '')
      if (status !== 200) throw new Error(`a notice was answered with ${status}`)
      times.push(performance.now() - sentAt)
    })
    const seconds = (performance.now() - startedAt) / 1000
    await inParallel(attempts.length, parallel, (index) => wechat.notify(attempts[index] ?? ''))
    const granted = (await countCredits()) - before
    const expected = notices * credits + (notices * (notices - 1)) / 2
    times.sort((a, b) => a - b)
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0
    console.log(
      `${name}: ${attempts.length} notices, ${parallel} at a time: ${Math.round(attempts.length / seconds)} a second, ` +
        `p99 ${Math.round(p99)} ms; granted ${granted} of ${expected} credits, ${expected - granted} wrong`,
    )
    if (granted !== expected) process.exitCode = 1
  } finally {
    server.kill('SIGTERM')
    await wechat.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function prefixed(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`pay.${name}`, value]))
}

function configure(env: NodeJS.ProcessEnv, settings: Record<string, string>): void {
  const cli = resolve(import.meta.dirname, '../src/server/cli/main.ts')
  for (const [name, value] of Object.entries(settings))
    execFileSync(process.execPath, [cli, 'settings', 'set', name, value], { env, stdio: 'pipe' })
}

async function inParallel<T>(count: number, width: number, work: (index: number) => Promise<T>): Promise<T[]> {
  let next = 0
  const results: T[] = []
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results.push(await work(index))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
