// `npm test`: every check in turn; the last line counts them. `-- --only=unit,sqlite` runs some of them.
import { forwardSignals } from './prepare/child.mjs'
import { ensureConverters } from './prepare/converters.mjs'
import { ensureDependencies } from './prepare/dependencies.mjs'
import { endLeftovers, termLeftovers } from './test/leftovers.mjs'
import { steps } from './test/steps.mjs'

const chosenSteps = chooseSteps(process.argv.slice(2))
forwardSignals({ status: 130 })
process.on('exit', termLeftovers)
await ensureDependencies({ dev: true })
await ensureConverters()

const results = new Map()
for (const step of chosenSteps) results.set(step.name, await perform(step))

for (const [step, { failures = [], flaky = [] }] of results) {
  for (const { name, reason } of flaky) console.log(`\n! ${step}，再试才通过：${name}\n${reason}`)
  for (const { name, reason } of failures) console.log(`\n✗ ${step}：${name}\n${reason}`)
}
const total = (kind) => [...results.values()].reduce((sum, result) => sum + result[kind], 0)
console.log(`\n${[...results].map(([name, result]) => `${result.failed ? '✗' : '✓'} ${name}`).join('  ')}`)
const skipped = total('skipped') ? `, ${total('skipped')} skipped` : ''
console.log(`${total('passed')} passed, ${total('failed')} failed${skipped}`)
process.exitCode = total('failed') ? 1 : 0

async function perform(step) {
  console.log(`\n━━ ${step.name}：${step.title}`)
  if (results.get(step.needs)?.failed) {
    console.log(`跳过：${step.needs} 没有通过`)
    return { passed: 0, failed: 0, skipped: 1 }
  }
  const startedAt = performance.now()
  const result = await step.run()
  await endLeftovers()
  console.log(
    `${result.failed ? '✗ 未通过' : '✓ 通过'}，用时 ${((performance.now() - startedAt) / 1000).toFixed(1)} 秒`,
  )
  return result
}

function chooseSteps(args) {
  const only = args.find((arg) => arg.startsWith('--only='))
  if (!only) return steps
  const names = only.slice('--only='.length).split(',')
  const known = steps.map((step) => step.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`没有这些步骤：${unknown.join('、')}。可选：${known.join('、')}`)
    process.exit(1)
  }
  const chosen = new Set(steps.flatMap((step) => (names.includes(step.name) ? [step.name, step.needs] : [])))
  return steps.filter((step) => chosen.has(step.name))
}
