import { expect, test } from 'vitest'
import { filterMenu, findScreen } from '#web/admin/menu.tsx'
import { cellText } from '#web/admin/engine/export/cell-text.ts'

const screens = filterMenu(() => true)
  .flatMap(({ pages }) => pages)
  .flatMap(([path]) => {
    const screen = findScreen(path)
    return screen ? [{ path, screen }] : []
  })

test.each(['created_at', 'user_id'])('every list that can be filtered by %s offers it', (key) => {
  const able = screens.filter(({ screen }) => key in screen.api.list.input.shape)
  expect(able.length).toBeGreaterThan(6)
  const missing = able.filter(({ screen }) => !screen.filters.some((filter) => filter.key === key))
  expect(missing.map(({ path }) => path)).toEqual([])
})

test.each(screens)('$path exports a code in words', async ({ screen }) => {
  const codes = screen.columns.filter(({ key }) => ['status', 'type'].includes(key))
  for (const column of codes) expect(await cellText(column, { id: 1, [column.key]: 1 })).not.toBe('1')
})

test('an exported cell has a date, 是 or 否, a list in one line, and nothing for what is missing', async () => {
  const column = (key: string) => ({ key, label: key })
  const row = { id: 1, created_at: new Date(2026, 10, 16, 8, 5).getTime(), enable: true, ids: ['3', '4'], none: null }
  const texts = ['created_at', 'enable', 'ids', 'none'].map((key) => cellText(column(key), row))
  expect(await Promise.all(texts)).toEqual(['2026-11-16 08:05', '是', '3、4', ''])
})
