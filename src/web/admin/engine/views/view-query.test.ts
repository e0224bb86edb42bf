import { expect, test } from 'vitest'
import { toViewQuery } from '#web/admin/engine/views/view-query.ts'

test('a view keeps filters, search and order, but not the page', () => {
  const params = new URLSearchParams('page=3&size=50&status=6&status=7&wd=课件&order=id+asc&new=1')
  expect(toViewQuery(params)).toBe(new URLSearchParams('order=id+asc&status=6&status=7&wd=课件').toString())
})
