import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const name = 'WENDOU_TEST_RUN'
const value = `${process.pid}-${Date.now()}`

/** An environment variable of every step, which all its processes inherit, even detached ones. */
export const mark = { [name]: value }

/** Waits a little for the remaining processes of a step, then kills them. */
export async function endLeftovers() {
  for (let tries = 0; tries < 30 && leftovers().length > 0; tries += 1) await sleep(100)
  const pids = leftovers()
  if (pids.length === 0) return
  console.log(`结束了 ${pids.length} 个遗留进程`)
  for (const pid of pids) send(pid, 'SIGKILL')
}

/** For an interrupted run: processes get the chance to clean up. */
export function termLeftovers() {
  for (const pid of leftovers()) send(pid, 'SIGTERM')
}

function leftovers() {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && readEnvironment(entry).includes(`${name}=${value}\0`))
    .map(Number)
}

function readEnvironment(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return '' // It has ended, or belongs to another user.
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}
