import { expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { link, toggle as switching } from '#web/admin/columns.tsx'
import { isRequired } from '#web/admin/engine/validation.ts'
import { number, tags, text, toggle, url } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const friendlinks = resource({
  title: '友情链接',
  api: contract.friendlinks,
  columns: ['title', link('link'), 'sort', switching('enable'), 'created_at'],
  filters: ['wd', 'enable'],
  form: [text('title', '名称'), url('link', '网址'), number('sort', '排序'), toggle('enable', '启用')],
})

test('a column is headed by the name its field has in the form', () => {
  expect(friendlinks.columns.map(({ label }) => label)).toEqual(['名称', '网址', '排序', '启用', '创建时间'])
})

test('a filter borrows the control of the form; wd becomes the search box', () => {
  expect(friendlinks.searchable).toBe(true)
  expect(friendlinks.filters.map(({ key, label }) => [key, label])).toEqual([['enable', '启用']])
})

test('one list of fields serves creating and changing', () => {
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

test('what nobody has named does not become a screen', () => {
  const { friendlinks: api } = contract
  expect(() => resource({ title: '友情链接', api, columns: ['description'] })).toThrow('description')
  expect(() => resource({ title: '友情链接', api, columns: ['id'], filters: ['enable'] })).toThrow('enable')
})

test('words typed by hand start as none', () => {
  expect(tags('field', '字段').empty).toEqual([])
})
