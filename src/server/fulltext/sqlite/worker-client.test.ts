import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '#server/testing/folder.ts'
import { createWorkerClient, IndexCorrupted, WorkerExited, WorkerStopped } from './worker-client.ts'

const urlOf = (name: string) => new URL(name, import.meta.url).href

/** A worker script with this `start` function. */
function writeScript(start: string, before = ''): URL {
  const script = join(tempFolder(), 'script.ts')
  writeFileSync(
    script,
    `${before}
    const { serveRequests } = await import('${urlOf('./worker-server.ts')}')
    serveRequests({ start: ${start}, isCorruption: (error) => String(error).includes('damaged'), niceness: 1 })`,
  )
  return pathToFileURL(script)
}

function startWorker(start: string, { idleTimeoutMs = 60_000, before = '' } = {}) {
  const worker = createWorkerClient({ script: writeScript(start, before), workerData: { file: 'a' }, idleTimeoutMs })
  onTestFinished(() => worker.stop())
  return worker
}

const handling = (handle: string) => `() => ({ handle: ${handle}, close() {} })`
const pidOf = handling('() => process.pid')

test('an idle worker exits, and the next request starts another', async () => {
  const { request } = startWorker(pidOf, { idleTimeoutMs: 20 })
  const first = Number(await request('pid', undefined))
  await expect.poll(() => isAlive(first)).toBe(false)
  expect(await request('pid', undefined)).not.toBe(first)
})

test('a worker ignores the signals that end the server', async () => {
  const { request } = startWorker(pidOf)
  const first = Number(await request('pid', undefined))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(first, signal)
  await setTimeout(200)
  expect(await request('pid', undefined)).toBe(first)
})

test('a worker exits when the server is killed', async () => {
  const server = join(tempFolder(), 'server.ts')
  writeFileSync(
    server,
    `import { createWorkerClient } from '${urlOf('./worker-client.ts')}'
    const script = new URL('${writeScript(pidOf).href}')
    const { request } = createWorkerClient({ script, workerData: {}, idleTimeoutMs: 60_000 })
    console.log(await request('pid'))
    setInterval(() => {}, 1000)`,
  )
  const killed = spawn(process.execPath, [server], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [pid] = await once(killed.stdout, 'data')
  expect(isAlive(Number(pid))).toBe(true)
  killed.kill('SIGKILL')
  await expect.poll(() => isAlive(Number(pid))).toBe(false)
})

test('when a worker crashes, its request fails and the next one is answered', async () => {
  const { request } = startWorker(
    handling(`(method) => (method === 'pid' ? process.pid : process.kill(process.pid, 'SIGKILL'))`),
  )
  const first = await request('pid', undefined)
  await expect(request('crash', undefined)).rejects.toThrow(WorkerExited)
  expect(await request('pid', undefined)).not.toBe(first)
})

test('a stopped worker fails its request and exits, even if it hangs', async () => {
  const { request, stop } = startWorker(handling(`(method) => { while (method === 'hang'); return process.pid }`))
  const pid = Number(await request('pid', undefined))
  const hanging = request('hang', undefined)
  await Promise.all([expect(hanging).rejects.toThrow(WorkerStopped), stop()])
  expect(isAlive(pid)).toBe(false)
})

test('errors reach the caller, also those at the start', async () => {
  const failing = startWorker(handling(`() => { throw new Error('not today') }`))
  await expect(failing.request('pid', undefined)).rejects.toThrow('not today')
  const damaged = startWorker(`({ file }) => { throw new Error(file + ' is damaged') }`)
  await expect(damaged.request('pid', undefined)).rejects.toThrow(new IndexCorrupted('a is damaged'))
})

test('a worker runs where lowering its priority is not permitted', async () => {
  const before = `
    import { syncBuiltinESMExports } from 'node:module'
    import os from 'node:os'
    os.setPriority = () => { throw new Error('permission denied') }
    syncBuiltinESMExports()`
  expect(await startWorker(pidOf, { before }).request('pid', undefined)).toBeGreaterThan(1)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
