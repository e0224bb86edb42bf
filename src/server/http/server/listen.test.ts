import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { gracefulShutdown } from './shutdown.ts'
import { listen } from './listen.ts'

const address = { port: 0, host: '127.0.0.1' }

test('many connections are accepted although every iteration of the event loop takes long', async () => {
  const server = createServer((_request, response) => response.end('done'))
  const { port, close } = await listen(server, address)
  let iterations = 0
  const work = setInterval(() => {
    iterations++
    const end = performance.now() + 5
    while (performance.now() < end);
  }, 1)
  const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'))
  onTestFinished(async () => {
    clearInterval(work)
    for (const socket of sockets) socket.destroy()
    await Promise.all([close(), gracefulShutdown(server, 1000)()])
  })
  let answered = 0
  for (const socket of sockets) {
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    socket.once('data', () => answered++)
  }
  await expect.poll(() => answered, { timeout: 10_000, interval: 5 }).toBe(80)
  // A single listener accepts one connection per iteration.
  expect(iterations).toBeLessThan(60)
})

test('a port that is in use is refused', async () => {
  const [first, second] = [createServer(), createServer()]
  const { port, close } = await listen(first, address)
  onTestFinished(async () => void (await Promise.all([close(), gracefulShutdown(first, 1000)()])))
  await expect(listen(second, { ...address, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('closing waits for pending responses, whichever listener accepted them', async () => {
  const pending: (() => void)[] = []
  const server = createServer((_request, response) => void pending.push(() => response.end('done')))
  const stop = gracefulShutdown(server, 10_000)
  const { port, close } = await listen(server, address)
  const responses = Array.from({ length: 20 }, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    return response.text()
  })
  await expect.poll(() => pending.length).toBe(20)
  let isClosed = false
  const end = Promise.all([close(), stop()]).then(() => (isClosed = true))
  await setTimeout(100)
  expect(isClosed).toBe(false)
  for (const respond of pending) respond()
  expect(await Promise.all(responses)).toEqual(Array.from({ length: 20 }, () => 'done'))
  await end
})
