import { expect, test } from 'vitest'
import { turns } from './turns.ts'

test('so many at a time, in their order, and a failure gives its place up', async () => {
  const turn = turns(2)
  const started: number[] = []
  let going = 0
  let most = 0
  const work = (number: number) =>
    turn(async () => {
      started.push(number)
      going += 1
      most = Math.max(most, going)
      await new Promise((resolve) => setTimeout(resolve, 5))
      going -= 1
      if (number % 2) throw new Error('odd')
      return number
    })
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(work))
  expect(started).toEqual([0, 1, 2, 3, 4, 5])
  expect(most).toBe(2)
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true, false])
})
