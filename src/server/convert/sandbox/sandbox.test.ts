import { chmodSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { placeFile, tempFolder } from '#server/testing/folder.ts'
import { findWalls, runInSandbox, type SandboxLimits } from './sandbox.ts'
import type { Walls } from './isolation.ts'

const found = await findWalls()
const limits: SandboxLimits = { timeoutMs: 5000, memory: 200e6, written: 5e6, processes: 40 }

test('this machine can put walls up, or the tests below say nothing', () => {
  expect(['bubblewrap', 'unshare', 'none']).toContain(found)
})

/** Both kinds of walls where the better ones work: the lesser ones are used elsewhere. */
const kinds: Walls[] = found === 'bubblewrap' ? ['bubblewrap', 'unshare'] : found === 'unshare' ? ['unshare'] : []

describe.each(kinds)('behind %s', (walls) => {
  test('a program reads what it was given, writes where it may, and says what it has to say', async () => {
    const out = tempFolder()
    const outcome = await shell(walls, out, 'echo 完成; echo 结果 > "$1/result"')
    expect(outcome).toEqual({ code: 0, output: '完成\n' })
    expect(readFileSync(join(out, 'result'), 'utf8')).toBe('结果\n')
  })

  test('there is no network', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const script = `await fetch('http://127.0.0.1:${port}/').then(() => console.log('reached'), () => console.log('nothing'))`
    const plain = await runInSandbox('none', nodeJob(script))
    const outcome = await runInSandbox(walls, nodeJob(script))
    server.close()
    expect(plain.output).toContain('reached')
    expect(outcome.output).toContain('nothing')
    expect(asked).toBe(1)
  })

  test('the environment and other processes are out of sight', async () => {
    process.env['SECRET_FOR_TEST'] = 'do not tell'
    const { output } = await shell(walls, tempFolder(), 'env; ls /proc | grep -c "^[0-9]"; cat /proc/*/environ')
    delete process.env['SECRET_FOR_TEST']
    expect(output).not.toContain('do not tell')
    expect(Number(/^\d+$/m.exec(output)?.[0])).toBeLessThan(10)
  })

  test('a program that hangs is ended by the clock, with all that it started', async () => {
    const out = tempFolder()
    const script = 'setsid sh -c "while :; do date +%N > $1/alive; sleep 0.05; done" & sleep 100'
    const before = Date.now()
    const outcome = await shell(walls, out, script, { timeoutMs: 500 })
    expect(outcome.stopped).toBe('timeout')
    expect(Date.now() - before).toBeLessThan(3000)
    const last = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(last).toHaveLength(1)
    expect(readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))).toEqual(last)
  })

  test('a program that eats memory is stopped', async () => {
    const outcome = await shell(walls, tempFolder(), 'head -c 900000000 /dev/zero | tail -n 1 | wc -c', {
      memory: 60e6,
    })
    expect(outcome.stopped === 'memory' || /memory exhausted|cannot allocate/i.test(outcome.output)).toBe(true)
  })

  test('a program that eats processor time is stopped', async () => {
    const outcome = await shell(walls, tempFolder(), 'while :; do :; done', { timeoutMs: 700 })
    expect(outcome.stopped).toBe('timeout')
  })

  test('a file without end is cut off', async () => {
    const outcome = await shell(walls, tempFolder(), 'cat /dev/zero > "$1/big"')
    expect(outcome.stopped).toBe('written')
  })

  test('files without end are cut off', async () => {
    const script = 'i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > "$1/$i"; done'
    expect((await shell(walls, tempFolder(), script)).stopped).toBe('written')
  })

  test('words without end are dropped', async () => {
    const outcome = await shell(walls, tempFolder(), 'yes', { timeoutMs: 500 })
    expect(outcome.stopped).toBe('timeout')
    expect(outcome.output.length).toBeLessThanOrEqual(16_384)
  })

  test('a crash is told from an end', async () => {
    expect((await shell(walls, tempFolder(), 'exit 3')).code).toBe(3)
    expect((await shell(walls, tempFolder(), 'kill -SEGV $$')).code).toBe(139)
  })
})

test.skipIf(found !== 'bubblewrap')(
  'other files cannot be seen, and what was given to read cannot be written',
  async () => {
    const [given, secret] = [tempFolder(), tempFolder()]
    const outcome = await runInSandbox('bubblewrap', {
      program: '/bin/sh',
      mounts: { in: { path: given } },
      args: (at) => ['-c', `ls ${secret}; ls /home /root /etc/passwd; touch ${at('in')}/x; touch /usr/x; echo end`],
      limits,
    })
    expect(outcome.output.match(/No such file/g)?.length).toBe(4)
    expect(outcome.output.match(/Read-only/g)?.length).toBe(2)
    expect(outcome.output).toContain('end')
  },
)

test.skipIf(found !== 'bubblewrap')('a program of ours sees its code, has no rights and cannot change it', async () => {
  const [code, secret, given] = [tempFolder(), tempFolder(), placeFile('a.txt', 'given')]
  chmodSync(code, 0o700)
  writeFileSync(join(code, 'a.txt'), 'code', { mode: 0o600 })
  const input = openSync(given.path, 'r')
  const outcome = await runInSandbox('bubblewrap', {
    program: '/bin/sh',
    code: [code],
    input,
    mounts: {},
    args: () => [
      '-c',
      `exec 2>&1; cat ${code}/a.txt -; ls ${secret}; touch ${code}/x; grep -c CapEff:.*[1-9a-f] /proc/self/status`,
    ],
    limits,
  })
  closeSync(input)
  expect(outcome.output).toMatch(/^codegiven/)
  expect(outcome.output).toMatch(/No such file/)
  expect(outcome.output).toMatch(/Read-only/)
  expect(outcome.output).toMatch(/^0$/m)
})

test.each(['none', ...kinds] as const)('a program that nobody waits for any more is ended (%s)', async (walls) => {
  const leaving = new AbortController()
  const running = runInSandbox(walls, {
    program: '/bin/sleep',
    mounts: {},
    args: () => ['100'],
    limits: { ...limits, timeoutMs: 60_000 },
    signal: leaving.signal,
  })
  setTimeout(() => leaving.abort(new Error('left')), 200)
  await expect(running).rejects.toThrow('left')
})

test.skipIf(found !== 'bubblewrap')('a program that forks without end stays small and is ended', async () => {
  const outcome = await shell('bubblewrap', tempFolder(), 'f() { f | f & }; f; exec sleep 100', { timeoutMs: 700 })
  expect(outcome.stopped).toBe('timeout')
  expect(outcome.output).toContain('fork')
})

function shell(walls: Walls, out: string, script: string, some: Partial<SandboxLimits> = {}) {
  return runInSandbox(walls, {
    program: '/bin/sh',
    mounts: { out: { path: out, writable: true } },
    args: (at) => ['-c', script, 'sh', at('out')],
    limits: { ...limits, ...some },
  })
}

function nodeJob(script: string) {
  const args = () => ['--input-type=module', '-e', script]
  return { program: process.execPath, mounts: {}, args, limits: { ...limits, memory: 20e9, processes: 100 } }
}
