import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { groups } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { users } from '#shared/contract/users.ts'
import { client } from '#shared/client.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeEndlessPdf } from '#server/samples/raw-pdf.ts'
import { createUploadClient, type UploadClient } from '../e2e/upload-client.ts'
import { settingsForLoad } from '../e2e/load-users.ts'
import { startServer } from './server.ts'

/**
 * How long a member waits for an ordinary document behind documents of another that are made to run into the time limit,
 * beside how long the same takes alone. Fails when it is more than ten times as long.
 */

const { values } = parseArgs({ options: { hostile: { type: 'string', default: '8' } } })
const maxRatio = 10
const rounds = 5
const patienceMs = 300_000
const folder = mkdtempSync(join(tmpdir(), 'wendou-fairness-'))
const port = 20_000 + (process.pid % 20_000)
const url = `http://127.0.0.1:${port}`
const owner = { username: 'admin', password: 'bench-password' }
const env = {
  ...process.env,
  PORT: String(port),
  HOST: '127.0.0.1',
  DATA_DIR: folder,
  ADMIN_PASSWORD: owner.password,
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
}

const server = await startServer(env, { url, logTo: join(folder, 'log') })
try {
  const cli = resolve(import.meta.dirname, '../src/server/cli/main.ts')
  for (const [name, value] of Object.entries(settingsForLoad))
    execFileSync(process.execPath, [cli, 'settings', 'set', name, value], { env, stdio: 'pipe' })
  await sleep(1000)
  const admin = await createUploadClient(url, owner)
  const { group } = await admin.call(groups.list)
  for (const each of group)
    await admin.call(groups.update, { ...each, enable_upload: true, enable_document_review: false })
  const [attacker, other] = [await register('attacker'), await register('other')]
  // The first starts a renderer.
  await waitForPages(other, '预热')
  const alone: number[] = []
  for (let round = 0; round < rounds; round++) alone.push(await waitForPages(other, `独自 ${round}`))
  const hostile: [string, Uint8Array][] = Array.from({ length: Number(values.hostile) }, (_, n) => [
    `${n}.pdf`,
    makeEndlessPdf(`${n}`),
  ])
  await attacker.publish(...hostile)
  const behind: number[] = []
  for (let round = 0; round < rounds; round++) behind.push(await waitForPages(other, `随后 ${round}`))
  const [first = 0] = behind
  const usual = median(alone)
  const ratio = first / usual
  console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(`  alone: ${seconds(usual)} (median of ${rounds})`)
  console.log(
    `  behind ${values.hostile} hostile documents of another member: ${seconds(first)}, ${ratio.toFixed(1)} times`,
  )
  console.log(`  and those after it: ${behind.slice(1).map(seconds).join(', ')}`)
  process.exitCode = ratio <= maxRatio ? 0 : 1
} finally {
  server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function register(username: string): Promise<UploadClient> {
  const person = { username, password: 'a long password', email: `${username}@example.com` }
  await client({ fetch, origin: url, token: () => '' })(users.register, person)
  return createUploadClient(url, person)
}

/** From publishing to the moment when its pages can be read. */
async function waitForPages({ call, publish }: UploadClient, title: string): Promise<number> {
  const bytes = makePdf({ title, pages: 3 })
  const startedAt = performance.now()
  const ids = (await publish([`${title}.pdf`, bytes])).map(({ id }) => id)
  for (;;) {
    const { document } = await call(documents.progress, { id: ids })
    if (document.some(({ status }) => status === DocumentStatus.Failed)) throw new Error(`${title} failed`)
    if (performance.now() - startedAt > patienceMs) throw new Error(`${title} is still under way`)
    if (document.every(({ status }) => status === DocumentStatus.Converted)) return performance.now() - startedAt
    await sleep(20)
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
