import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { closer } from './shutdown.ts'
import { listenOn } from './listen.ts'

const address = { port: 0, host: '127.0.0.1' }

test('a crowd comes in though every turn of the loop takes long', async () => {
  const server = createServer((_request, response) => response.end('answer'))
  const { port, shut } = await listenOn(server, address)
  let turns = 0
  const work = setInterval(() => {
    turns++
    const end = performance.now() + 5
    while (performance.now() < end);
  }, 1)
  const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'))
  onTestFinished(async () => {
    clearInterval(work)
    for (const socket of sockets) socket.destroy()
    await Promise.all([shut(), closer(server, 1000)()])
  })
  let greeted = 0
  for (const socket of sockets) {
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    socket.once('data', () => greeted++)
  }
  await expect.poll(() => greeted, { timeout: 10_000, interval: 5 }).toBe(80)
  // One door would need a turn for each of them.
  expect(turns).toBeLessThan(60)
})

test('a port that somebody has is not taken a second time', async () => {
  const [first, second] = [createServer(), createServer()]
  const { port, shut } = await listenOn(first, address)
  onTestFinished(async () => void (await Promise.all([shut(), closer(first, 1000)()])))
  await expect(listenOn(second, { ...address, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('shutting waits for the answers under way, by whichever door they came', async () => {
  const waiting: (() => void)[] = []
  const server = createServer((_request, response) => void waiting.push(() => response.end('answer')))
  const stop = closer(server, 10_000)
  const { port, shut } = await listenOn(server, address)
  const answers = Array.from({ length: 20 }, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    return response.text()
  })
  await expect.poll(() => waiting.length).toBe(20)
  let isShut = false
  const end = Promise.all([shut(), stop()]).then(() => (isShut = true))
  await setTimeout(100)
  expect(isShut).toBe(false)
  for (const answer of waiting) answer()
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, () => 'answer'))
  await end
})
