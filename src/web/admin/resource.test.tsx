import { expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { linkColumn, toggleColumn } from '#web/admin/columns.tsx'
import { isRequired } from '#web/admin/engine/forms/validation.ts'
import { number, tags, text, toggle, url } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const friendlinks = resource({
  title: '友情链接',
  api: contract.friendlinks,
  columns: ['title', linkColumn('link'), 'sort', toggleColumn('enable'), 'created_at'],
  filters: ['wd', 'enable'],
  form: [text('title', '名称'), url('link', '网址'), number('sort', '排序'), toggle('enable', '启用')],
})

test('a column has the label of its form field', () => {
  expect(friendlinks.columns.map(({ label }) => label)).toEqual(['名称', '网址', '排序', '启用', '创建时间'])
})

test('a filter has the label of its form field; wd is the search box', () => {
  expect(friendlinks.searchable).toBe(true)
  expect(friendlinks.filters.map(({ key, label }) => [key, label])).toEqual([['enable', '启用']])
})

test('one list of fields serves for creating and editing', () => {
  expect(friendlinks.form.update).toBe(friendlinks.form.create)
  expect(resource({ title: '友情链接', api: contract.friendlinks, columns: ['id'] }).form).toEqual({
    create: [],
    update: [],
  })
})

test('a field is required when the endpoint refuses its empty value', () => {
  const { create } = contract.friendlinks
  expect(friendlinks.form.create.filter((field) => isRequired(create, field)).map(({ key }) => key)).toEqual(['title'])
})

test('a column without a label and a filter without a control are errors', () => {
  const { friendlinks: api } = contract
  expect(() => resource({ title: '友情链接', api, columns: ['description'] })).toThrow('description')
  expect(() => resource({ title: '友情链接', api, columns: ['id'], filters: ['enable'] })).toThrow('enable')
})

test('a field for free words starts empty', () => {
  expect(tags('field', '字段').empty).toEqual([])
})

test('a column with switches needs an endpoint that patches its key', () => {
  const { list, create, update } = contract.friendlinks
  const columns = [toggleColumn('enable')] as const
  expect(() => resource({ title: '友情链接', api: { list, create, update }, columns })).toThrow('enable')
})
