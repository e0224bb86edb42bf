import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../prepare/child.mjs'
import { productEnv } from '../prepare/node.mjs'
import { mark } from './leftovers.mjs'

/** More files with failures are not run again. */
const maxRetriedFiles = 3

/**
 * Runs one project of Vitest and counts its tests. Files with failures run once more: tests that pass then count as passed,
 * and are listed at the end as flaky, with their first error. An error outside of tests stays a failure.
 */
export async function runVitest(project, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const settings = { ...productEnv(), ...mark, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env }
  const first = await runOnce(project, [], settings, join(folder, 'first.json'))

  const broken = first.files.filter(({ failures }) => failures.length > 0)
  if (broken.length === 0 || broken.length > maxRetriedFiles || first.outside.length > 0) return toResult(first)
  const names = broken.map(({ file }) => file)
  console.log(`\n再运行一次：${names.join('、')}`)
  const second = await runOnce(project, names, settings, join(folder, 'second.json'))
  const files = first.files.map((before) => {
    const again = names.includes(before.file) && second.files.find(({ file }) => file === before.file)
    return again ? { ...again, flaky: [...findFlaky(before, again), ...again.flaky] } : before
  })
  return toResult({ files, outside: second.outside })
}

function findFlaky(before, again) {
  const failing = new Set(again.failures.map(({ name }) => name))
  return [...before.failures.filter(({ name }) => !failing.has(name)), ...before.flaky]
}

async function runOnce(project, files, env, report) {
  const reporters = ['--reporter=default', `--reporter=${reporter}`]
  const status = await run('vitest', ['run', '--project', project, ...reporters, ...files], {
    env: { ...env, WENDOU_TEST_REPORT: report },
  })
  const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { files: [], outside: [] }
  const { passed, failed } = toResult(result)
  if (failed > 0 || (status === 0 && passed > 0)) return result
  // After a crash there is no report, or one without the crash.
  const name = passed > 0 ? '测试之外' : '没有测试运行'
  return { ...result, outside: [{ name, reason: `    vitest 以状态 ${status} 结束` }] }
}

function toResult({ files, outside }) {
  const failures = [...files.flatMap((file) => file.failures), ...outside]
  const sum = (kind) => files.reduce((total, file) => total + file[kind], 0)
  const flaky = files.flatMap((file) => file.flaky)
  return { passed: sum('passed'), failed: failures.length, skipped: sum('skipped'), failures, flaky }
}

const reporter = join(import.meta.dirname, 'reporter.mjs')
