import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { permissionCatalogue, wirePath } from '#shared/permissions.ts'
import { readyMadeGroups } from './ready-made-groups.ts'

const handbook = readFileSync('docs/operations.md', 'utf8')

/** The rows of the table whose first row begins with these cells, as lists of cells. */
function tableOf(...head: string[]): string[][] {
  const rows = handbook.split('\n').map((line) =>
    line.startsWith('|')
      ? line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [],
  )
  const start = rows.findIndex((row) => head.every((cell, index) => row[index] === cell))
  const length = rows.slice(start).findIndex((row) => row.length === 0)
  return rows.slice(start, start + length).filter(([cell]) => !/^-+$/.test(cell ?? ''))
}

test('the handbook says of each ready-made group what the group says itself', () => {
  const [, administrators, ...rows] = tableOf('用户组', '用来')
  expect(administrators?.[0]).toBe('超级管理员')
  expect(rows).toEqual(readyMadeGroups.map(({ title, description }) => [title, description]))
  const english = tableOf('group', 'for').slice(2)
  expect(english.map(([title]) => title)).toEqual(readyMadeGroups.map(({ title }) => title))
})

test('the handbook’s table of money is what the ready-made groups may do, and leaves nothing of money out', () => {
  const money = /^\/api\.v1\.(OrderAPI|StatsAPI|DownloadCodeAPI|VIPAPI)\/|\/AdjustUserCredit$/
  const [[, ...titles] = [], ...rows] = tableOf('权限', '审核员')
  expect(titles).toEqual(readyMadeGroups.map(({ title }) => title))
  const expected = permissionCatalogue
    .filter(({ path }) => money.test(path))
    .map(({ path, title }) => [
      title,
      ...readyMadeGroups.map(({ permissions }) => (permissions.map(wirePath).includes(path) ? '✓' : '')),
    ])
  expect(new Set(rows.map((row) => row.join(' | ')))).toEqual(new Set(expected.map((row) => row.join(' | '))))
})
