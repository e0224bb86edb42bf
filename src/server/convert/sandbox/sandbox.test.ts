import { chmodSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeTempFile, tempFolder } from '#server/testing/folder.ts'
import { detectIsolation, runInSandbox, type SandboxLimits } from './sandbox.ts'
import type { Isolation } from './isolation.ts'

const best = await detectIsolation()
const limits: SandboxLimits = { timeoutMs: 5000, memoryBytes: 200e6, diskBytes: 5e6, processes: 40 }

test('the isolation of this machine is detected, or the tests below are skipped', () => {
  expect(['bubblewrap', 'unshare', 'none']).toContain(best)
})

/** Where bubblewrap works, unshare is tested as well. */
const isolations: Isolation[] =
  best === 'bubblewrap' ? ['bubblewrap', 'unshare'] : best === 'unshare' ? ['unshare'] : []

describe.each(isolations)('with %s', (isolation) => {
  test('a program reads and writes its mounts, and its output is returned', async () => {
    const out = tempFolder()
    const result = await shell(isolation, out, 'echo 完成; echo 结果 > "$1/result"')
    expect(result).toEqual({ code: 0, output: '完成\n' })
    expect(readFileSync(join(out, 'result'), 'utf8')).toBe('结果\n')
  })

  test('there is no network', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const script = `await fetch('http://127.0.0.1:${port}/').then(() => console.log('reached'), () => console.log('nothing'))`
    const plain = await runInSandbox('none', nodeJob(script))
    const sandboxed = await runInSandbox(isolation, nodeJob(script))
    server.close()
    expect(plain.output).toContain('reached')
    expect(sandboxed.output).toContain('nothing')
    expect(requests).toBe(1)
  })

  test('the environment and other processes are hidden', async () => {
    process.env['SECRET_FOR_TEST'] = 'do not tell'
    const { output } = await shell(isolation, tempFolder(), 'env; ls /proc | grep -c "^[0-9]"; cat /proc/*/environ')
    delete process.env['SECRET_FOR_TEST']
    expect(output).not.toContain('do not tell')
    expect(Number(/^\d+$/m.exec(output)?.[0])).toBeLessThan(10)
  })

  test('a program that hangs is killed after its timeout, with everything it started', async () => {
    const out = tempFolder()
    const script = 'setsid sh -c "while :; do date +%N > $1/alive; sleep 0.05; done" & sleep 100'
    const result = await shell(isolation, out, script, { timeoutMs: 500 })
    expect(result.exceeded).toBe('timeout')
    const last = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(last).toHaveLength(1)
    expect(readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))).toEqual(last)
  })

  test('a program that exceeds its memory is killed', async () => {
    const result = await shell(isolation, tempFolder(), 'head -c 900000000 /dev/zero | tail -n 1 | wc -c', {
      memoryBytes: 60e6,
    })
    expect(result.exceeded === 'memory' || /memory exhausted|cannot allocate/i.test(result.output)).toBe(true)
  })

  test('a program that exceeds its CPU time is killed', async () => {
    const result = await shell(isolation, tempFolder(), 'while :; do :; done', { timeoutMs: 700 })
    expect(result.exceeded).toBe('timeout')
  })

  test('a program that writes an endless file is killed', async () => {
    const result = await shell(isolation, tempFolder(), 'cat /dev/zero > "$1/big"')
    expect(result.exceeded).toBe('disk')
  })

  test('a program that writes files without end is killed', async () => {
    const script = 'i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > "$1/$i"; done'
    expect((await shell(isolation, tempFolder(), script)).exceeded).toBe('disk')
  })

  test('endless output is truncated', async () => {
    const result = await shell(isolation, tempFolder(), 'yes', { timeoutMs: 500 })
    expect(result.exceeded).toBe('timeout')
    expect(result.output.length).toBeLessThanOrEqual(16_384)
  })

  test('exit codes and signals are reported', async () => {
    expect((await shell(isolation, tempFolder(), 'exit 3')).code).toBe(3)
    expect((await shell(isolation, tempFolder(), 'kill -SEGV $$')).code).toBe(139)
  })
})

test.skipIf(best !== 'bubblewrap')('other files are hidden, and read-only mounts cannot be written', async () => {
  const [input, secret] = [tempFolder(), tempFolder()]
  const result = await runInSandbox('bubblewrap', {
    executable: '/bin/sh',
    mounts: { in: { path: input } },
    args: (at) => ['-c', `ls ${secret}; ls /home /root /etc/passwd; touch ${at('in')}/x; touch /usr/x; echo end`],
    limits,
  })
  expect(result.output.match(/No such file/g)?.length).toBe(4)
  expect(result.output.match(/Read-only/g)?.length).toBe(2)
  expect(result.output).toContain('end')
})

test.skipIf(best !== 'bubblewrap')(
  'a program of our own sees its code, cannot change it and has no capabilities',
  async () => {
    const [code, secret, file] = [tempFolder(), tempFolder(), writeTempFile('a.txt', 'input')]
    chmodSync(code, 0o700)
    writeFileSync(join(code, 'a.txt'), 'code', { mode: 0o600 })
    const input = openSync(file.path, 'r')
    const result = await runInSandbox('bubblewrap', {
      executable: '/bin/sh',
      code: [code],
      stdin: input,
      mounts: {},
      args: () => [
        '-c',
        `exec 2>&1; cat ${code}/a.txt -; ls ${secret}; touch ${code}/x; grep -c CapEff:.*[1-9a-f] /proc/self/status`,
      ],
      limits,
    })
    closeSync(input)
    expect(result.output).toMatch(/^codeinput/)
    expect(result.output).toMatch(/No such file/)
    expect(result.output).toMatch(/Read-only/)
    expect(result.output).toMatch(/^0$/m)
  },
)

test.each(['none', ...isolations] as const)('an aborted program is killed (%s)', async (isolation) => {
  const controller = new AbortController()
  const running = runInSandbox(isolation, {
    executable: '/bin/sleep',
    mounts: {},
    args: () => ['100'],
    limits: { ...limits, timeoutMs: 60_000 },
    signal: controller.signal,
  })
  setTimeout(() => controller.abort(new Error('aborted')), 200)
  await expect(running).rejects.toThrow('aborted')
})

test.skipIf(best !== 'bubblewrap')('a fork bomb is limited and killed', async () => {
  const result = await shell('bubblewrap', tempFolder(), 'f() { f | f & }; f; exec sleep 100', { timeoutMs: 700 })
  expect(result.exceeded).toBe('timeout')
  expect(result.output).toContain('fork')
})

function shell(isolation: Isolation, out: string, script: string, overrides: Partial<SandboxLimits> = {}) {
  return runInSandbox(isolation, {
    executable: '/bin/sh',
    mounts: { out: { path: out, writable: true } },
    args: (at) => ['-c', script, 'sh', at('out')],
    limits: { ...limits, ...overrides },
  })
}

function nodeJob(script: string) {
  const args = () => ['--input-type=module', '-e', script]
  return { executable: process.execPath, mounts: {}, args, limits: { ...limits, memoryBytes: 20e9, processes: 100 } }
}
