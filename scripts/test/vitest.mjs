import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../prepare/child.mjs'
import { productEnv } from '../prepare/node.mjs'
import { mark } from './leftovers.mjs'

/** Runs one project of Vitest and counts its tests. What one of its processes has compiled, the next one need not. */
export async function runVitest(project, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run('vitest', ['run', '--project', project, ...reporters], {
    env: { ...productEnv(), ...mark, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env },
  })
  const counts = existsSync(report) ? countsOf(JSON.parse(readFileSync(report, 'utf8'))) : noTests

  if (counts.passed + counts.failed === 0) console.log(`${project}：没有测试运行`)
  // A run may fail beside its tests: a file that does not load, an error outside any test, a crash.
  const failedBesideTests = counts.failed === 0 && (status !== 0 || counts.passed === 0)
  return failedBesideTests ? { ...counts, failed: 1 } : counts
}

const noTests = { passed: 0, failed: 0, skipped: 0 }

function countsOf({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }) {
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}
