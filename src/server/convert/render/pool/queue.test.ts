import { expect, test } from 'vitest'
import { RenderPriority } from '../../converter.ts'
import { fairQueue, type QueueItem } from './queue.ts'

interface Item extends QueueItem {
  page: number
}

function fill(items: [document: string, priority: RenderPriority][]) {
  const queue = fairQueue<Item>()
  for (const [page, [document, priority]] of items.entries()) queue.add({ document, priority, page })
  const order = (prefers?: (document: string) => boolean) => {
    const taken: string[] = []
    for (let item = queue.take({ prefers }); item; item = queue.take({ prefers }))
      taken.push(`${item.document}${item.page}`)
    return taken.join(' ')
  }
  return { queue, order }
}

test('items of higher priority go first', () => {
  const { order } = fill([
    ['a', 2],
    ['b', 1],
    ['c', 0],
  ])
  expect(order()).toBe('c2 b1 a0')
})

test('documents take turns', () => {
  const { order } = fill([
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['b', 1],
    ['c', 1],
    ['b', 1],
  ])
  expect(order()).toBe('a0 b3 c4 a1 b5 a2')
})

test('a preferred document goes first, but only a few times in a row', () => {
  const { order } = fill([
    ['a', 1],
    ['b', 1],
    ['b', 1],
    ['b', 1],
    ['b', 1],
    ['b', 1],
  ])
  expect(order((document) => document === 'b')).toBe('b1 b2 b3 a0 b4 b5')
})

test('a removed item is not taken', () => {
  const queue = fairQueue<Item>()
  const item: Item = { document: 'a', priority: 1, page: 1 }
  queue.add(item)
  queue.remove(item)
  expect(queue.size()).toBe(0)
  expect(queue.take()).toBeUndefined()
})

test('items below a priority are left', () => {
  const { queue } = fill([
    ['a', RenderPriority.Background],
    ['b', RenderPriority.FirstPages],
  ])
  const lowest = RenderPriority.FirstPages
  expect(queue.size(lowest)).toBe(1)
  expect(queue.take({ lowest })?.document).toBe('b')
  expect(queue.take({ lowest })).toBeUndefined()
  expect(queue.size()).toBe(1)
})
