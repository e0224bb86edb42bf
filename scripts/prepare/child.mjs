import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './paths.mjs'

const running = new Set()
let stopping = false

/** Forwards the first signal to the children, then exits with `status`. */
export function forwardSignals({ status }) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      for (const child of running) child.kill(signal)
      process.exitCode = status
      if (running.size === 0) process.exit()
      setTimeout(killAll, 15_000).unref()
    })
  }
}

/**
 * Runs a program, in the project's folder unless `cwd` says otherwise, and gives its exit status.
 * An `uninterrupted` one does not get Ctrl-C, and finishes even when this script is stopped.
 */
export async function run(command, args, options = {}) {
  const status = await end(start(command, args, options))
  if (stopping) process.exit()
  return status
}

/** Runs a program and exits with its status. */
export async function runLast(command, args, options = {}) {
  process.exit(await end(start(command, args, options)))
}

/** Runs a program and gives its output with the exit status. */
export async function runQuietly(command, args, options = {}) {
  // A file instead of a pipe: a program that outlives this script (apt) must not get a broken pipe.
  const name = join(tmpdir(), `wendou-${randomUUID()}`)
  const log = openSync(name, 'wx+', 0o600)
  unlinkSync(name)
  const status = await run(command, args, { ...options, stdio: ['ignore', log, log] })
  const output = Buffer.alloc(fstatSync(log).size)
  readSync(log, output, 0, output.length, 0)
  closeSync(log)
  return { status, output: output.toString() }
}

function start(command, args, { env, cwd = root, stdio = 'inherit', uninterrupted = false }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio,
    detached: uninterrupted,
  })
  if (!uninterrupted) running.add(child)
  return child
}

function end(child) {
  return new Promise((resolve) => {
    const done = (status) => {
      running.delete(child)
      resolve(status)
    }
    child.on('error', () => done(127))
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]))
  })
}

function killAll() {
  for (const child of running) child.kill('SIGKILL')
}
