import { expect, test } from 'vitest'
import { fairQueue, type Waiting } from './queue.ts'

interface Item extends Waiting {
  page: number
}

function filled(items: [document: string, urgency: 0 | 1 | 2][]) {
  const queue = fairQueue<Item>()
  for (const [page, [document, urgency]] of items.entries()) queue.add({ document, urgency, page })
  const order = (prefers?: (document: string) => boolean) => {
    const taken: string[] = []
    for (let item = queue.take(prefers); item; item = queue.take(prefers)) taken.push(`${item.document}${item.page}`)
    return taken.join(' ')
  }
  return { queue, order }
}

test('urgent pages go first, whoever came first', () => {
  const { order } = filled([
    ['a', 2],
    ['b', 1],
    ['c', 0],
  ])
  expect(order()).toBe('c2 b1 a0')
})

test('documents take turns', () => {
  const { order } = filled([
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['b', 1],
    ['c', 1],
    ['b', 1],
  ])
  expect(order()).toBe('a0 b3 c4 a1 b5 a2')
})

test('a document that is open goes before its turn, but not for ever', () => {
  const { order } = filled([
    ['a', 1],
    ['b', 1],
    ['b', 1],
    ['b', 1],
    ['b', 1],
    ['b', 1],
  ])
  expect(order((document) => document === 'b')).toBe('b1 b2 b3 a0 b4 b5')
})

test('what was removed is not taken', () => {
  const queue = fairQueue<Item>()
  const item: Item = { document: 'a', urgency: 1, page: 1 }
  queue.add(item)
  queue.remove(item)
  expect(queue.size).toBe(0)
  expect(queue.take()).toBeUndefined()
})
