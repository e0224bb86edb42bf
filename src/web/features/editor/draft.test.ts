import { expect, test } from 'vitest'
import { type Draft, drafts, isBlank, isSame, type Shelf } from '#web/features/editor/draft.ts'

const blank = { title: '', content: '<p></p>', keywords: '', description: '', category_id: '', identifier: '' }
const whose = { user: 2, article: 0 }

function draft(title: string, at = 1): Omit<Draft, 'id'> {
  return { ...blank, title, at, base: 0 }
}

/** What a person who comes now is offered. */
function titles(storage: Shelf, { user, article } = whose): string[] {
  return drafts(storage, { user, article })
    .others()
    .map(({ title }) => title)
}

function idOf(storage: Shelf, wanted: string): string {
  return (
    drafts(storage, whose)
      .others()
      .find(({ title }) => title === wanted)?.id ?? ''
  )
}

function shelf(isOpen = true): Shelf & { keys: () => string[]; put: (key: string, text: string) => void } {
  const kept = new Map<string, string>()
  return {
    read: (key) => kept.get(key) ?? null,
    write: (key, text) => {
      if (isOpen) kept.set(key, text)
      return isOpen
    },
    remove: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
    put: (key, text) => void kept.set(key, text),
  }
}

test('what was written is offered on return, to the same member and for the same article only', () => {
  const storage = shelf()
  expect(drafts(storage, whose).save(draft('初稿'))).toBe(true)

  expect(drafts(storage, whose).others()).toMatchObject([draft('初稿')])
  expect(titles(storage, { user: 3, article: 0 })).toEqual([])
  expect(titles(storage, { user: 2, article: 7 })).toEqual([])
})

test('who writes on without looking loses neither the old nor the new', () => {
  const storage = shelf()
  drafts(storage, whose).save(draft('昨天', 1))
  const today = drafts(storage, whose)
  today.save(draft('今天', 2))
  today.save(draft('今天又写', 3))

  expect(titles(storage)).toEqual(['今天又写', '昨天'])
  expect(today.others()).toMatchObject([draft('昨天', 1)])
})

test('two windows each keep their own, and publishing in one leaves the other', () => {
  const storage = shelf()
  const left = drafts(storage, whose)
  const right = drafts(storage, whose)
  left.save(draft('左', 1))
  right.save(draft('右', 2))
  left.save(draft('左又写', 3))
  expect(titles(storage)).toEqual(['左又写', '右'])

  left.end()
  expect(titles(storage)).toEqual(['右'])
})

test('discarding one keeps the others, and what has been written since', () => {
  const storage = shelf()
  drafts(storage, whose).save(draft('昨天', 1))
  drafts(storage, whose).save(draft('前天', 0))
  const today = drafts(storage, whose)
  today.save(draft('今天', 2))
  today.discard(idOf(storage, '昨天'))

  expect(titles(storage)).toEqual(['今天', '前天'])
  today.save(draft('今天又写', 3))
  expect(titles(storage)).toEqual(['今天又写', '前天'])
})

test('one that is taken up stays until it is saved from here, and goes when it is published', () => {
  const storage = shelf()
  drafts(storage, whose).save(draft('昨天', 1))
  const today = drafts(storage, whose)
  today.take(idOf(storage, '昨天'))
  expect(today.others()).toEqual([])
  expect(titles(storage)).toEqual(['昨天'])

  today.save(draft('昨天，续', 2))
  expect(titles(storage)).toEqual(['昨天，续'])
  today.end()
  expect(storage.keys()).toEqual([])
})

test('what was written before an older one was taken up is kept beside it', () => {
  const storage = shelf()
  drafts(storage, whose).save(draft('昨天', 1))
  const today = drafts(storage, whose)
  today.save(draft('今天', 2))
  today.take(idOf(storage, '昨天'))
  today.save(draft('昨天，续', 3))

  expect(titles(storage)).toEqual(['昨天，续', '今天'])
})

test('the oldest make room, never what is being written', () => {
  const storage = shelf()
  for (const day of [5, 1, 4, 2, 3]) drafts(storage, whose).save(draft(`第 ${day} 天`, day))
  drafts(storage, whose).save(draft('钟慢了', 0))

  expect(titles(storage)).toEqual(['第 5 天', '第 4 天', '第 3 天', '第 2 天', '钟慢了'])
})

test('a blocked storage says that nothing is kept', () => {
  expect(drafts(shelf(false), whose).save(draft('初稿'))).toBe(false)
})

test.each(['{', '"text"', '[{"title":1}]', 'null'])('what makes no sense is no draft: %s', (text) => {
  const storage = shelf()
  storage.put('article-draft-2-0', text)
  expect(titles(storage)).toEqual([])
})

test('a category alone is not worth keeping, a picture is', () => {
  expect(isBlank({ ...blank, category_id: '1 2' })).toBe(true)
  expect(isBlank({ ...blank, content: '<h2></h2><p> </p>' })).toBe(true)
  expect(isBlank({ ...blank, content: '<img src="/uploads/a.png">' })).toBe(false)
  expect(isBlank({ ...blank, title: '题' })).toBe(false)
  expect(isSame(blank, { ...blank })).toBe(true)
  expect(isSame(blank, { ...blank, keywords: '一' })).toBe(false)
})
