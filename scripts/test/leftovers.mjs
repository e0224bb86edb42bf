import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const name = 'WENDOU_TEST_RUN'
const value = `${process.pid}-${Date.now()}`

/** Put into the environment of every step: whatever a step starts, however detached, carries it. */
export const mark = { [name]: value }

/** Waits a little for what a step has started to end by itself, then ends it. */
export async function endLeftovers() {
  for (let tries = 0; tries < 30 && leftovers().length > 0; tries += 1) await sleep(100)
  const pids = leftovers()
  if (pids.length === 0) return
  console.log(`结束了 ${pids.length} 个遗留进程`)
  for (const pid of pids) send(pid, 'SIGKILL')
}

/** For a run that is broken off: what can clean up after itself still may. */
export function termLeftovers() {
  for (const pid of leftovers()) send(pid, 'SIGTERM')
}

function leftovers() {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && environmentOf(entry).includes(`${name}=${value}\0`))
    .map(Number)
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return '' // ended meanwhile, or someone else's
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // ended meanwhile
  }
}
