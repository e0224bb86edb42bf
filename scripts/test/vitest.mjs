import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../prepare/child.mjs'
import { productEnv } from '../prepare/node.mjs'
import { mark } from './leftovers.mjs'

/** So many files with failures may be the machine's fault; more are the product's. */
const fewFiles = 3

/**
 * Runs one project of Vitest and counts its tests. Files with failures run once more, by themselves: what passes then
 * counts as passed, and is named at the end as unsteady, with what was wrong the first time.
 */
export async function runVitest(project, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const settings = { ...productEnv(), ...mark, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env }
  const first = await runOnce(project, [], settings, join(folder, 'first.json'))

  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (files.length === 0 || files.length > fewFiles || files.includes('')) return first
  console.log(`\n再运行一次：${files.join('、')}`)
  const second = await runOnce(project, files, settings, join(folder, 'second.json'))
  const steadied = Math.max(0, first.failed - second.failed)
  const failing = new Set(second.failures.map(({ name }) => name))
  return {
    ...first,
    passed: first.passed + steadied,
    failed: second.failed,
    failures: second.failures,
    unsteady: first.failures.filter(({ name }) => !failing.has(name)),
  }
}

async function runOnce(project, files, env, report) {
  const reporters = ['--reporter=default', `--reporter=${reporter}`]
  const status = await run('vitest', ['run', '--project', project, ...reporters, ...files], {
    env: { ...env, WENDOU_TEST_REPORT: report },
  })
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : noTests
  if (counts.passed + counts.failed === 0) console.log(`${project}：没有测试运行`)
  // A crash leaves no report, or one that knows nothing of it.
  const crashed = counts.failed === 0 && (status !== 0 || counts.passed === 0)
  return crashed ? { ...counts, failed: 1 } : counts
}

const reporter = join(import.meta.dirname, 'reporter.mjs')
const noTests = { passed: 0, failed: 0, skipped: 0, failures: [] }
