import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, inject, test } from 'vitest'

test('the queries of the search benchmark find exactly what a scan over all texts finds', { timeout: 300_000 }, () => {
  const { engine } = inject('database')
  const script = resolve(import.meta.dirname, '../../../bench/search.ts')
  const {
    stdout,
    stderr,
    status: exitCode,
  } = spawnSync(process.execPath, [script, '--check', '--only', engine], {
    env: { ...process.env, PAGES: '1000' },
    encoding: 'utf8',
  })
  const rows = [...stdout.matchAll(/^ {2}(\D+?) +(\d+) +(\d+) +(\d+)$/gmu)]
  const table = rows.map(([, kind, queries, matches, wrong]) => ({
    kind,
    queries: Number(queries),
    matches: Number(matches),
    wrong: Number(wrong),
  }))
  expect(table, stdout + stderr).toHaveLength(10)
  for (const { kind, queries, matches, wrong } of table) {
    expect(wrong, stdout).toBe(0)
    expect(queries, stdout).toBeGreaterThanOrEqual(20)
    // Nothing is compared where nothing is found.
    expect(matches > 0, stdout).toBe(kind !== 'no match')
  }
  expect(exitCode, stderr).toBe(0)
})
