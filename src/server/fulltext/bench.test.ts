import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, inject, test } from 'vitest'

test.runIf(inject('database').engine === 'sqlite')(
  'the measurements of the search run, on a small library',
  // Other things may be running beside it: of three tries one must be quick enough.
  { retry: 2, timeout: 180_000 },
  () => {
    const script = resolve(import.meta.dirname, '../../../bench/search.ts')
    const env = { ...process.env, PAGES: '1000' }
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--only', 'sqlite'], {
      env,
      encoding: 'utf8',
    })
    expect(stderr).not.toContain('Error')
    expect(stdout).toMatch(/100 documents, 1000 pages\n {2}built in/)
    // It ends with 1 when it finds something too slow, which a machine that does other things besides may be.
    expect(status).toBe(stdout.includes('too slow') ? 1 : 0)
    const figures = /8 at a time[^]*? {4}all +([\d.]+) +([\d.]+)/.exec(stdout)
    expect(figures).not.toBeNull()
    const [, p50, p95] = figures ?? []
    // An order of magnitude above what a large library must keep.
    expect(Number(p50)).toBeLessThan(100)
    expect(Number(p95)).toBeLessThan(500)
  },
)
