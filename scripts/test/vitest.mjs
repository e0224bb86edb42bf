import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
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
  const counts = existsSync(report) ? readReport(JSON.parse(readFileSync(report, 'utf8'))) : noTests

  if (counts.passed + counts.failed === 0) console.log(`${project}：没有测试运行`)
  // A run may fail beside its tests: a file that does not load, an error outside any test, a crash.
  const failedBesideTests = counts.failed === 0 && (status !== 0 || counts.passed === 0)
  return failedBesideTests ? { ...counts, failed: 1 } : counts
}

const noTests = { passed: 0, failed: 0, skipped: 0, failures: [] }

function readReport({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    failures: testResults.flatMap(failuresOf),
  }
}

/** What failed in one file, in a few lines each: the end of a long log is what one gets to see. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [`${file}\n${firstLines(message)}`] : []
  return failed.map((test) => `${file} > ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}`)
}

const firstLines = (text) =>
  text
    .split('\n')
    .filter((line) => line.trim() && !line.includes('node_modules'))
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n')
