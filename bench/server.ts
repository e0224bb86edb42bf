import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts the server and waits until it is ready; its log goes to a file. */
export async function startServer(env: NodeJS.ProcessEnv, { url, logTo }: { url: string; logTo: string }) {
  const log = openSync(logTo, 'w')
  const main = join(resolve(import.meta.dirname, '../src/server'), 'main.ts')
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', log, 'inherit'] })
  closeSync(log)
  for (let tries = 0; tries < 600 && server.exitCode === null; tries++) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.ok) return server
    await sleep(100)
  }
  server.kill('SIGKILL')
  throw new Error('the server did not start')
}

export function cpuMs({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export function residentMb({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
