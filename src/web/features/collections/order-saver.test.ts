import { expect, test } from 'vitest'
import { createOrderSaver } from './order-saver.ts'

function makeSaver() {
  const requests: { order: string; reply: PromiseWithResolvers<void> }[] = []
  const failures: string[] = []
  const save = createOrderSaver<string>(
    '甲乙丙',
    (order) => {
      const reply = Promise.withResolvers<void>()
      requests.push({ order, reply })
      return reply.promise
    },
    (_error, saved) => failures.push(saved),
  )
  return { requests, failures, save, sent: () => requests.map(({ order }) => order) }
}

test('orders are saved one after the other, and only the newest of those that wait', async () => {
  const { requests, save, sent } = makeSaver()
  const done = save('乙甲丙')
  void save('乙丙甲')
  void save('丙乙甲')
  expect(sent()).toEqual(['乙甲丙'])
  requests[0]?.reply.resolve()
  await expect.poll(sent).toEqual(['乙甲丙', '丙乙甲'])
  requests[1]?.reply.resolve()
  await done
  void save('甲乙丙')
  expect(sent()).toEqual(['乙甲丙', '丙乙甲', '甲乙丙'])
})

test('a failure takes back the last move alone, to what was saved', async () => {
  const { requests, failures, save, sent } = makeSaver()
  const done = save('乙甲丙')
  void save('乙丙甲')
  requests[0]?.reply.reject(new Error('offline'))
  await expect.poll(sent).toEqual(['乙甲丙', '乙丙甲'])
  expect(failures).toEqual([])
  requests[1]?.reply.resolve()
  await done
  const next = save('丙乙甲')
  requests[2]?.reply.reject(new Error('offline'))
  await next
  expect(failures).toEqual(['乙丙甲'])
})
