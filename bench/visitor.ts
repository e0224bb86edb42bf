import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that requests `VISIT` repeatedly until it gets a message, and then reports the p99. */

const agent = new Agent({ keepAlive: true })
const times: number[] = []
const state = { isEnough: false }
process.on('message', () => (state.isEnough = true))

const request = () =>
  new Promise<void>((resolve, reject) => {
    get(process.env.VISIT ?? '', { agent }, (response) => response.resume().on('end', resolve)).on('error', reject)
  })

for (let round = 0; round < 50; round++) await request()
process.send?.('ready')
while (!state.isEnough) {
  const startedAt = performance.now()
  await request()
  times.push(performance.now() - startedAt)
  await sleep(4)
}
process.send?.(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0, () => process.exit())
