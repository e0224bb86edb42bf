import { expect, test } from 'vitest'
import { addTags, endsTag, joinTags, maxTags, parseTags } from '#web/features/articles/tags.ts'

test('tags are separated by Chinese and Western commas, without duplicates', () => {
  expect(parseTags('前端, React，react、 测试 ;\nNode  js')).toEqual(['前端', 'react', '测试', 'Node js'])
  expect(parseTags(' ,，')).toEqual([])
})

test('an existing tag is not added again', () => {
  expect(addTags(['React'], 'react，Vue')).toEqual({ tags: ['React', 'Vue'], problem: '' })
})

test('at most ten tags, and at most as many characters as are stored', () => {
  const ten = Array.from({ length: maxTags }, (_, at) => `标签${at}`)
  expect(addTags(ten, '又一个')).toEqual({ tags: ten, problem: '最多 10 个标签' })
  const long = addTags(['长'.repeat(250)], '五个字标签')
  expect(long).toEqual({ tags: ['长'.repeat(250)], problem: '标签总共不能超过 255 个字符' })
  expect(addTags(['长'.repeat(250)], '四字标签').problem).toBe('')
})

test('joined tags are parsed back unchanged', () => {
  expect(parseTags(joinTags(['一', '二 三']))).toEqual(['一', '二 三'])
})

test('a comma ends a tag, a space does not', () => {
  expect(['a,', 'a，', 'a、', 'a b', 'a'].map(endsTag)).toEqual([true, true, true, false, false])
})
