import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** A reporter of Vitest: writes down how many tests passed, and what failed, in or beside them, for the end of the run. */
export default class {
  onTestRunEnd(modules, errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state) => tests.filter((test) => test.result().state === state).length
    const failures = [
      ...tests.flatMap((test) => failuresOf(test, test.result().errors)),
      ...modules.flatMap((module) => failuresOf(module, module.errors())),
      ...errors.map((error) => ({ file: '', name: '测试之外', reason: reasonOf([error]) })),
    ]
    const report = { passed: count('passed'), failed: failures.length, skipped: count('skipped'), failures }
    writeFileSync(process.env.WENDOU_TEST_REPORT, JSON.stringify(report))
  }
}

function failuresOf(entity, errors = []) {
  if (errors.length === 0) return []
  const file = relative(process.cwd(), (entity.module ?? entity).moduleId)
  return [{ file, name: entity.fullName ? `${file} > ${entity.fullName}` : file, reason: reasonOf(errors) }]
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
