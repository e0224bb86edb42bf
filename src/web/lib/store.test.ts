import { expect, test } from 'vitest'
import { createStore } from '#web/lib/store.ts'

test('a store reads its first value when it is needed, and only once', () => {
  let reads = 0
  const store = createStore(() => (reads += 1))
  expect(reads).toBe(0)
  expect([store.get(), store.get()]).toEqual([1, 1])
})

test('listeners hear of each change until they unsubscribe', () => {
  const store = createStore(() => 'a')
  const heard: string[] = []
  const unsubscribe = store.subscribe(() => heard.push(store.get()))
  store.set('b')
  unsubscribe()
  store.set('c')
  expect(heard).toEqual(['b'])
  expect(store.get()).toBe('c')
})

test('undefined is a value like any other', () => {
  const store = createStore<string | undefined>(() => 'a')
  store.set(undefined)
  expect(store.get()).toBeUndefined()
})
