import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Call, client } from '#shared/client.ts'
import { users } from '#shared/contract/users.ts'
import { groups, permissions } from '#shared/contract/access.ts'
import { settings } from '#shared/contract/settings.ts'
import { ApiError } from '#shared/errors.ts'
import { type PermissionPath, wirePath } from '#shared/permissions.ts'
import { type App, createApp, type Parts } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { type Db, openDatabase } from '../db/open.ts'
import { assertDocumented } from '../http/api/documented.ts'
import { scheduleName } from '../jobs/schedule.ts'
import { openLog } from '../log.ts'
import { schedules } from '../queues.ts'
import { copyDatabase } from './databases/database.ts'
import { rootPassword } from './databases/template.ts'

export interface Person {
  id: number
  username: string
  password: string
  token: string
  call: Call
}

/** A whole site on a database of its own, used through its API. */
export interface Site {
  app: App
  config: Config
  db: Db
  call: Call
  root: Person
  /** A request as it would come over the network, from `ip` if that matters. */
  request(path: string, init?: RequestInit & { ip?: string }): Promise<Response>
  /** A caller with a given token, address, browser and other headers. */
  caller(options: { token?: string; ip?: string; userAgent?: string; headers?: Record<string, string> }): Call
  /** A raw request, for what our own client would never send. */
  send(method: string, path: string, options?: RequestOptions): Promise<ResponseSnapshot>
  /** A new member of the default group. */
  member(username?: string): Promise<Person>
  /** A new member of a new group that holds just these permissions. */
  staff(...paths: PermissionPath[]): Promise<Person>
  configure(values: Record<string, string>): Promise<void>
  /** Moves the site's clock. */
  advanceClock(ms: number): void
  /** Stops the site's clock: from now on only `advanceClock` moves it. */
  freezeClock(): void
  /** Runs the workers until no due job is left. */
  runDueJobs(): Promise<void>
  /** For a new site on which much time passes: no periodic job becomes due. */
  suspendSchedules(): Promise<void>
  /** Another process on the same database. */
  openSecondProcess(): Promise<App>
  close(): Promise<void>
}

export interface RequestOptions {
  token?: string
  ip?: string
  headers?: Record<string, string>
  /** Text goes out as it is, anything else as JSON. */
  body?: unknown
}

export interface ResponseSnapshot {
  status: number
  headers: Headers
  text: string
  json: Record<string, unknown>
}

export async function openSite(
  environment: Record<string, string> = {},
  parts: Pick<Partial<Parts>, 'log' | 'web' | 'files'> = {},
): Promise<Site> {
  const copy = await copyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'wendou-site-'))
  const database = openDatabase(copy.url, { durable: false })
  const opened = [database]
  let clock = Date.now
  let clockOffset = 0
  let people = 0
  const now = () => clock() + clockOffset
  const config = readConfig({ DATA_DIR: folder, ...environment })
  const app = await createApp({ config, database, log: openLog('silent'), now, headStartMs: 0, ...parts })
  const apps = [app]
  const answer = async (sent: Request, ip: string): Promise<Response> => {
    const response = await app.fetch(sent, { incoming: from(ip) })
    await assertDocumented(sent, response)
    return response
  }
  const request: Site['request'] = async (path, { ip = '127.0.0.1', ...init } = {}) =>
    answer(new Request(new URL(path, 'http://localhost'), init), ip)
  const caller: Site['caller'] = ({ token = '', ip = '127.0.0.1', userAgent = '', headers = {} }) =>
    client({
      origin: 'http://localhost',
      token: () => token,
      fetch(sent) {
        if (userAgent) sent.headers.set('user-agent', userAgent)
        for (const [name, value] of Object.entries(headers)) sent.headers.set(name, value)
        return answer(sent, ip)
      },
    })

  // Each person has an address of their own: limits per address count them apart.
  const signIn = async (username: string, password: string): Promise<Person> => {
    const ip = `172.16.${(people += 1) >> 8}.${people & 255}`
    const { token, user } = await caller({ ip })(users.login, { username, password })
    return { id: user.id, username, password, token, call: caller({ token, ip }) }
  }

  const site: Site = {
    app,
    config,
    db: database.db,
    call: caller({}),
    request,
    caller,
    async send(method, path, { token, ip, headers = {}, body } = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const authorization = token && { authorization: `Bearer ${token}` }
      const response = await request(path, { method, ip, headers: { ...authorization, ...headers }, body: text })
      return read(response)
    },
    root: undefined as unknown as Person,
    async member(username = `member-${(people += 1)}`) {
      const group = await database.db
        .selectFrom('group')
        .select('id')
        .where('is_default', '=', 1)
        .executeTakeFirstOrThrow()
      const password = `password of ${username}`
      await site.root.call(users.create, { username, password, email: '', group_id: [group.id] })
      // The password counts as chosen by the member.
      await database.db.updateTable('user').set({ must_change_password: 0 }).where('username', '=', username).execute()
      return signIn(username, password)
    },
    async staff(...paths) {
      const { id } = await site.root.call(groups.create, { title: `group ${(people += 1)}` })
      const { permission } = await site.root.call(permissions.list)
      const wirePaths = new Set(paths.map(wirePath))
      const permission_id = permission.filter(({ path }) => wirePaths.has(path)).map((row) => row.id)
      await site.root.call(groups.setPermissions, { group_id: id, permission_id })
      const person = await site.member()
      await site.root.call(users.set, { id: person.id, group_id: [id] })
      return person
    },
    async configure(values) {
      const config = Object.entries(values).map(([path, value]) => {
        const [category = '', name = ''] = path.split('.')
        return { category, name, value }
      })
      await site.root.call(settings.update, { config })
    },
    advanceClock(ms) {
      clockOffset += ms
    },
    freezeClock() {
      const frozen = clock()
      clock = () => frozen
    },
    async runDueJobs() {
      const worker = app.work()
      // Event listeners run after the response and may enqueue jobs: the queue has to stay empty for a moment.
      let quiet = 0
      const looksQuiet = async () => (quiet = (await dueJobs(database.db, now())) === 0 ? quiet + 1 : 0)
      try {
        await expect.poll(looksQuiet, { timeout: 60_000, interval: 15 }).toBeGreaterThan(1)
      } finally {
        await worker.stop()
      }
    },
    async suspendSchedules() {
      const lastPeriods = schedules.map(({ kind }) => ({ name: scheduleName(kind), value: Number.MAX_SAFE_INTEGER }))
      await database.db.insertInto('revision').values(lastPeriods).execute()
    },
    async openSecondProcess() {
      const again = openDatabase(copy.url, { durable: false })
      opened.push(again)
      const app = await createApp({ config, database: again, log: openLog('silent'), now, headStartMs: 0 })
      apps.push(app)
      return app
    },
    async close() {
      for (const app of apps) await app.close()
      for (const { db } of opened) await db.destroy()
      await copy.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await disableCaptchas(database.db)
  site.root = await signIn('admin', rootPassword)
  return site
}

/** The error that a call ends with; a call that succeeds is a failure of the test. */
export async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => expect.fail('the call should have been refused'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ApiError) return error
  throw error
}

async function read(response: Response): Promise<ResponseSnapshot> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return { status, headers, text, json: isJson ? (JSON.parse(text) as ResponseSnapshot['json']) : {} }
}

async function dueJobs(db: Db, now: number): Promise<number> {
  const rows = await db
    .selectFrom('job')
    .select('id')
    .where('state', '<>', 'failed')
    .where('run_at', '<=', now)
    .execute()
  return rows.length
}

/** Tests that are not about captchas do without them. */
async function disableCaptchas(db: Db): Promise<void> {
  const rows = ['login', 'register', 'find_password', 'comment', 'code'].map((purpose) => ({
    category: 'security',
    name: `enable_captcha_${purpose}`,
    value: 'false',
    updated_at: 0,
  }))
  await db.insertInto('setting').values(rows).execute()
}

function from(remoteAddress: string) {
  return { socket: { remoteAddress } } as never
}
