import { expect, test } from 'vitest'
import { type Draft, drafts, isBlank, isSame, type Shelf } from '#web/features/editor/draft.ts'

const blank = { title: '', content: '<p></p>', keywords: '', description: '', category_id: '', identifier: '' }

function draft(title: string, at = 1): Draft {
  return { ...blank, title, at }
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
  expect(drafts(storage, { user: 2, article: 0 }).save(draft('初稿'))).toBe(true)

  expect(drafts(storage, { user: 2, article: 0 }).older()).toEqual([draft('初稿')])
  expect(drafts(storage, { user: 3, article: 0 }).older()).toEqual([])
  expect(drafts(storage, { user: 2, article: 7 }).older()).toEqual([])
})

test('who writes on without looking loses neither the old nor the new', () => {
  const storage = shelf()
  drafts(storage, { user: 2, article: 0 }).save(draft('昨天', 1))
  const today = drafts(storage, { user: 2, article: 0 })
  today.save(draft('今天', 2))
  today.save(draft('今天又写', 3))

  expect(drafts(storage, { user: 2, article: 0 }).older()).toEqual([draft('今天又写', 3), draft('昨天', 1)])
})

test('a decision ends it: what is written afterwards stands alone', () => {
  const storage = shelf()
  drafts(storage, { user: 2, article: 0 }).save(draft('昨天', 1))
  const today = drafts(storage, { user: 2, article: 0 })
  today.forgetOlder()
  today.save(draft('今天', 2))

  expect(drafts(storage, { user: 2, article: 0 }).older()).toEqual([draft('今天', 2)])
})

test('after publishing nothing is left', () => {
  const storage = shelf()
  const writing = drafts(storage, { user: 2, article: 0 })
  writing.save(draft('初稿'))
  writing.remove()

  expect(storage.keys()).toEqual([])
})

test('a blocked storage says that nothing is kept', () => {
  expect(drafts(shelf(false), { user: 2, article: 0 }).save(draft('初稿'))).toBe(false)
})

test.each(['{', '"text"', '[{"title":1}]', 'null'])('what makes no sense is no draft: %s', (text) => {
  const storage = shelf()
  storage.put('article-draft-2-0', text)
  expect(drafts(storage, { user: 2, article: 0 }).older()).toEqual([])
})

test('a category alone is not worth keeping, a picture is', () => {
  expect(isBlank({ ...blank, category_id: '1 2' })).toBe(true)
  expect(isBlank({ ...blank, content: '<h2></h2><p> </p>' })).toBe(true)
  expect(isBlank({ ...blank, content: '<img src="/uploads/a.png">' })).toBe(false)
  expect(isBlank({ ...blank, title: '题' })).toBe(false)
  expect(isSame(blank, { ...blank })).toBe(true)
  expect(isSame(blank, { ...blank, keywords: '一' })).toBe(false)
})
