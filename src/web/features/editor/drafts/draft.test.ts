import { expect, test } from 'vitest'
import { type Draft, drafts, isBlank, isSame, type DraftStorage } from '#web/features/editor/drafts/draft.ts'

const blank = {
  title: '',
  content: '<p></p>',
  keywords: '',
  description: '',
  category_id: '',
  identifier: '',
  cover: '',
}
const whose = { user: 2, article: 0 }

function draft(title: string, at = 1): Omit<Draft, 'id'> {
  return { ...blank, title, at, base: 0 }
}

/** The drafts that a newly opened editor offers. */
function titles(storage: DraftStorage, { user, article } = whose): string[] {
  return drafts(storage, { user, article })
    .others()
    .map(({ title }) => title)
}

function idOf(storage: DraftStorage, draftTitle: string): string {
  return (
    drafts(storage, whose)
      .others()
      .find(({ title }) => title === draftTitle)?.id ?? ''
  )
}

function fakeStorage(isOpen = true): DraftStorage & { keys: () => string[]; put: (key: string, text: string) => void } {
  const entries = new Map<string, string>()
  return {
    read: (key) => entries.get(key) ?? null,
    write: (key, text) => {
      if (isOpen) entries.set(key, text)
      return isOpen
    },
    remove: (key) => void entries.delete(key),
    keys: () => [...entries.keys()],
    put: (key, text) => void entries.set(key, text),
  }
}

test('a draft is offered to the same member for the same article only', () => {
  const storage = fakeStorage()
  expect(drafts(storage, whose).save(draft('初稿'))).toBe(true)

  expect(drafts(storage, whose).others()).toMatchObject([draft('初稿')])
  expect(titles(storage, { user: 3, article: 0 })).toEqual([])
  expect(titles(storage, { user: 2, article: 7 })).toEqual([])
})

test('a new draft does not replace an older one that is still offered', () => {
  const storage = fakeStorage()
  drafts(storage, whose).save(draft('昨天', 1))
  const today = drafts(storage, whose)
  today.save(draft('今天', 2))
  today.save(draft('今天又写', 3))

  expect(titles(storage)).toEqual(['今天又写', '昨天'])
  expect(today.others()).toMatchObject([draft('昨天', 1)])
})

test('two windows have separate drafts, and publishing one keeps the other', () => {
  const storage = fakeStorage()
  const left = drafts(storage, whose)
  const right = drafts(storage, whose)
  left.save(draft('左', 1))
  right.save(draft('右', 2))
  left.save(draft('左又写', 3))
  expect(titles(storage)).toEqual(['左又写', '右'])

  left.end()
  expect(titles(storage)).toEqual(['右'])
})

test('discarding a draft keeps the others', () => {
  const storage = fakeStorage()
  drafts(storage, whose).save(draft('昨天', 1))
  drafts(storage, whose).save(draft('前天', 0))
  const today = drafts(storage, whose)
  today.save(draft('今天', 2))
  today.discard(idOf(storage, '昨天'))

  expect(titles(storage)).toEqual(['今天', '前天'])
  today.save(draft('今天又写', 3))
  expect(titles(storage)).toEqual(['今天又写', '前天'])
})

test('an adopted draft stays until the first save, and is removed after publishing', () => {
  const storage = fakeStorage()
  drafts(storage, whose).save(draft('昨天', 1))
  const today = drafts(storage, whose)
  today.adopt(idOf(storage, '昨天'))
  expect(today.others()).toEqual([])
  expect(titles(storage)).toEqual(['昨天'])

  today.save(draft('昨天，续', 2))
  expect(titles(storage)).toEqual(['昨天，续'])
  today.end()
  expect(storage.keys()).toEqual([])
})

test('the own draft is kept when an older one is adopted', () => {
  const storage = fakeStorage()
  drafts(storage, whose).save(draft('昨天', 1))
  const today = drafts(storage, whose)
  today.save(draft('今天', 2))
  today.adopt(idOf(storage, '昨天'))
  today.save(draft('昨天，续', 3))

  expect(titles(storage)).toEqual(['昨天，续', '今天'])
})

test('the oldest drafts are dropped, never the current one', () => {
  const storage = fakeStorage()
  for (const day of [5, 1, 4, 2, 3]) drafts(storage, whose).save(draft(`第 ${day} 天`, day))
  drafts(storage, whose).save(draft('钟慢了', 0))

  expect(titles(storage)).toEqual(['第 5 天', '第 4 天', '第 3 天', '第 2 天', '钟慢了'])
})

test('saving to a blocked storage fails', () => {
  expect(drafts(fakeStorage(false), whose).save(draft('初稿'))).toBe(false)
})

test.each(['{', '"text"', '[{"title":1}]', 'null'])('an invalid draft is ignored: %s', (text) => {
  const storage = fakeStorage()
  storage.put('article-draft-2-0', text)
  expect(titles(storage)).toEqual([])
})

test('a draft with a category alone is blank, one with a picture is not', () => {
  expect(isBlank({ ...blank, category_id: '1 2' })).toBe(true)
  expect(isBlank({ ...blank, content: '<h2></h2><p> </p>' })).toBe(true)
  expect(isBlank({ ...blank, content: '<img src="/uploads/a.png">' })).toBe(false)
  expect(isBlank({ ...blank, title: '题' })).toBe(false)
  expect(isSame(blank, { ...blank })).toBe(true)
  expect(isSame(blank, { ...blank, keywords: '一' })).toBe(false)
})
