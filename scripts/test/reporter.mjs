import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** A reporter of Vitest: writes down, file by file, how many tests passed and what failed, in or beside them. */
export default class {
  onTestRunEnd(modules, errors) {
    const report = { files: modules.map(fileOf), outside: errors.map(outsideOf) }
    writeFileSync(process.env.WENDOU_TEST_REPORT, JSON.stringify(report))
  }
}

function fileOf(module) {
  const file = nameOf(module.moduleId)
  const tests = [...module.children.allTests()]
  const inState = (state) => tests.filter((test) => test.result().state === state)
  const failures = [
    ...inState('failed').map((test) => faultOf(file, test, test.result().errors)),
    ...[...module.children.allSuites(), module].map((suite) => faultOf(file, suite, suite.errors())),
  ].filter(({ reason }) => reason)
  // Of several tries that a test may have, not the first.
  const unsteady = inState('passed')
    .map((test) => faultOf(file, test, test.result().errors))
    .filter(({ reason }) => reason)
  return { file, passed: inState('passed').length, skipped: inState('skipped').length, failures, unsteady }
}

function faultOf(file, { fullName }, errors) {
  return { name: fullName ? `${file} > ${fullName}` : file, reason: reasonOf(errors ?? []) }
}

/** Nobody knows which test it belongs to; Vitest knows what ran at the time. */
function outsideOf(error) {
  const running = [error.VITEST_TEST_PATH && nameOf(error.VITEST_TEST_PATH), error.VITEST_TEST_NAME].filter(Boolean)
  return { name: ['测试之外', ...running].join(' > '), reason: reasonOf([error]) }
}

function nameOf(path) {
  return relative(process.cwd(), path)
}

/** A few lines: the end of a long log is what one gets to see. */
function reasonOf(errors) {
  return errors
    .flatMap(({ message, stack = '' }) => `${message}\n${stack.replace(/^.*?\n(?=\s+at )/s, '')}`.split('\n'))
    .filter((line) => line.trim() && !line.includes('node_modules') && !line.includes('node:internal'))
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n')
}
