import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { Damaged, startProcess } from './processes.ts'

const side = new URL('./process-side.ts', import.meta.url)

/** One that answers as it is told here. */
function helper({ begin, restMs = 60_000 }: { begin: string; restMs?: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-process-'))
  const script = join(folder, 'script.ts')
  writeFileSync(
    script,
    `import { serveCalls } from '${side.href}'
    serveCalls({ begin: ${begin}, isDamage: (error) => String(error).includes('damaged'), stepsBack: 1 })`,
  )
  const started = startProcess({ script: pathToFileURL(script), given: { file: 'a' }, restMs })
  onTestFinished(async () => {
    await started.stop()
    rmSync(folder, { recursive: true })
  })
  return started
}

const who = '() => () => process.pid'

test('without work it goes after a while, and the next call has another', async () => {
  const { call } = helper({ begin: who, restMs: 20 })
  const first = await call('who', undefined)
  await setTimeout(200)
  expect(await call('who', undefined)).not.toBe(first)
  expect(isAlive(Number(first))).toBe(false)
})

test('until then it stays, and signals that end the server do not end it', async () => {
  const { call } = helper({ begin: who })
  const first = Number(await call('who', undefined))
  process.kill(first, 'SIGTERM')
  await setTimeout(200)
  expect(await call('who', undefined)).toBe(first)
})

test('killed in the middle of a call, it fails that one and answers the next', async () => {
  const { call } = helper({
    begin: `() => (method) => method === 'who' ? process.pid : process.kill(process.pid, 'SIGBUS')`,
  })
  const first = await call('who', undefined)
  await expect(call('break', undefined)).rejects.toThrow('has ended')
  expect(await call('who', undefined)).not.toBe(first)
})

test('what goes wrong is told, at the beginning too', async () => {
  const failing = helper({ begin: `() => () => { throw new Error('not today') }` })
  await expect(failing.call('who', undefined)).rejects.toThrow('not today')
  const damaged = helper({ begin: `({ file }) => { throw new Error(file + ' is damaged') }` })
  await expect(damaged.call('who', undefined)).rejects.toThrow(new Damaged('a is damaged'))
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
