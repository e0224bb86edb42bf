import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '#server/testing/folder.ts'
import { Damaged, Ended, startProcess, Stopped } from './worker-client.ts'

const fileOf = (name: string) => new URL(name, import.meta.url).href

/** The script of one that answers as it is told here. */
function scriptOf(begin: string, before = ''): URL {
  const script = join(tempFolder(), 'script.ts')
  writeFileSync(
    script,
    `${before}
    const { serveCalls } = await import('${fileOf('./process-side.ts')}')
    serveCalls({ begin: ${begin}, isDamage: (error) => String(error).includes('damaged'), stepsBack: 1 })`,
  )
  return pathToFileURL(script)
}

function helper(begin: string, { restMs = 60_000, before = '' } = {}) {
  const started = startProcess({ script: scriptOf(begin, before), given: { file: 'a' }, restMs })
  onTestFinished(() => started.stop())
  return started
}

const answering = (answer: string) => `() => ({ answer: ${answer}, close() {} })`
const who = answering('() => process.pid')

test('without work it goes after a while, and the next call has another', async () => {
  const { call } = helper(who, { restMs: 20 })
  const first = Number(await call('who', undefined))
  await expect.poll(() => isAlive(first)).toBe(false)
  expect(await call('who', undefined)).not.toBe(first)
})

test('until then it stays, and signals that end the server do not end it', async () => {
  const { call } = helper(who)
  const first = Number(await call('who', undefined))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(first, signal)
  await setTimeout(200)
  expect(await call('who', undefined)).toBe(first)
})

test('when the server is killed it goes too', async () => {
  const server = join(tempFolder(), 'server.ts')
  writeFileSync(
    server,
    `import { startProcess } from '${fileOf('./processes.ts')}'
    const { call } = startProcess({ script: new URL('${scriptOf(who).href}'), given: {}, restMs: 60_000 })
    console.log(await call('who'))
    setInterval(() => {}, 1000)`,
  )
  const killed = spawn(process.execPath, [server], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [pid] = await once(killed.stdout, 'data')
  expect(isAlive(Number(pid))).toBe(true)
  killed.kill('SIGKILL')
  await expect.poll(() => isAlive(Number(pid))).toBe(false)
})

test('when it breaks in the middle of a call, that one fails and the next is answered', async () => {
  const { call } = helper(
    answering(`(method) => (method === 'who' ? process.pid : process.kill(process.pid, 'SIGKILL'))`),
  )
  const first = await call('who', undefined)
  await expect(call('break', undefined)).rejects.toThrow(Ended)
  expect(await call('who', undefined)).not.toBe(first)
})

test('stopped in the middle of a call, it fails that one and ends, though it hangs', async () => {
  const { call, stop } = helper(answering(`(method) => { while (method === 'hang'); return process.pid }`))
  const pid = Number(await call('who', undefined))
  const hanging = call('hang', undefined)
  await Promise.all([expect(hanging).rejects.toThrow(Stopped), stop()])
  expect(isAlive(pid)).toBe(false)
})

test('what goes wrong is told, at the beginning too', async () => {
  const failing = helper(answering(`() => { throw new Error('not today') }`))
  await expect(failing.call('who', undefined)).rejects.toThrow('not today')
  const damaged = helper(`({ file }) => { throw new Error(file + ' is damaged') }`)
  await expect(damaged.call('who', undefined)).rejects.toThrow(new Damaged('a is damaged'))
})

test('it works where it is not allowed to step back', async () => {
  const before = `
    import { syncBuiltinESMExports } from 'node:module'
    import os from 'node:os'
    os.setPriority = () => { throw new Error('permission denied') }
    syncBuiltinESMExports()`
  expect(await helper(who, { before }).call('who', undefined)).toBeGreaterThan(1)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
