import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** A Vitest reporter: writes the results by file, and errors outside of tests, as JSON. */
export default class {
  onTestRunEnd(modules, errors) {
    const report = { files: modules.map(reportFile), outside: errors.map(reportOutside) }
    writeFileSync(process.env.WENDOU_TEST_REPORT, JSON.stringify(report))
  }
}

function reportFile(module) {
  const file = toName(module.moduleId)
  const tests = [...module.children.allTests()]
  const inState = (state) => tests.filter((test) => test.result().state === state)
  const failures = [
    ...inState('failed').map((test) => toFailure(file, test, test.result().errors)),
    ...[...module.children.allSuites(), module].map((suite) => toFailure(file, suite, suite.errors())),
  ].filter(({ reason }) => reason)
  // Tests that passed only in a retry have errors too.
  const flaky = inState('passed')
    .map((test) => toFailure(file, test, test.result().errors))
    .filter(({ reason }) => reason)
  return { file, passed: inState('passed').length, skipped: inState('skipped').length, failures, flaky }
}

function toFailure(file, { fullName }, errors) {
  return { name: fullName ? `${file} > ${fullName}` : file, reason: toReason(errors ?? []) }
}

/** An error outside of tests has no test; Vitest knows which one was running. */
function reportOutside(error) {
  const running = [error.VITEST_TEST_PATH && toName(error.VITEST_TEST_PATH), error.VITEST_TEST_NAME].filter(Boolean)
  return { name: ['测试之外', ...running].join(' > '), reason: toReason([error]) }
}

function toName(path) {
  return relative(process.cwd(), path)
}

/** At most 12 lines, without frames of Node and of packages. */
function toReason(errors) {
  return errors
    .flatMap(({ message, stack = '' }) => `${message}\n${stack.replace(/^.*?\n(?=\s+at )/s, '')}`.split('\n'))
    .filter((line) => line.trim() && !line.includes('node_modules') && !line.includes('node:internal'))
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n')
}
