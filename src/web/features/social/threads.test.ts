import { expect, test } from 'vitest'
import type { Comment, Thread } from '#shared/contract/social.ts'
import { answeredBy, joined, mayStillCome, nextPage, withComment, withoutComment } from './threads.ts'

test('the next page adds what is new, and what has moved down since is not shown twice', () => {
  const held = [thread(9), thread(8), thread(7)]
  expect(outline(joined(held, [thread(7, [comment(10, 7)]), thread(6)]))).toEqual(['9', '8', '7: 10', '6'])
})

test('when one of twenty has been deleted, the page that has lost one is asked for again', () => {
  expect(nextPage(20, 20)).toBe(2)
  expect(nextPage(21, 20)).toBe(2)
  expect(nextPage(19, 20)).toBe(1)
  expect(nextPage(40, 20)).toBe(3)
})

test('a wanted comment is waited for until it has come, or all have', () => {
  const held = [thread(9), thread(8, [comment(10, 8)])]
  expect(mayStillCome(7, held, 3)).toBe(true)
  expect(mayStillCome(7, held, 2)).toBe(false)
  expect(mayStillCome(8, held, 3)).toBe(false)
  expect(mayStillCome(10, held, 3)).toBe(false)
  expect(mayStillCome(0, held, 3)).toBe(false)
})

test('a new comment stands on top, an answer last in its thread whichever of it was answered', () => {
  const held = [thread(2), thread(1, [comment(3, 1)])]
  expect(outline(withComment(held, comment(4)))).toEqual(['4', '2', '1: 3'])
  expect(outline(withComment(held, comment(4, 1)))).toEqual(['2', '1: 3 4'])
  expect(outline(withComment(held, comment(4, 3)))).toEqual(['2', '1: 3 4'])
})

test('a comment that nobody has answered goes without a trace', () => {
  const held = [thread(2), thread(1, [comment(3, 1)])]
  expect(outline(withoutComment(held, 2))).toEqual(['1: 3'])
  expect(outline(withoutComment(held, 3))).toEqual(['2', '1'])
})

test('one that has been answered leaves a note without its words, until the last answer is gone', () => {
  const noted = withoutComment([thread(1, [comment(2, 1)])], 1)
  expect(outline(noted)).toEqual(['1-: 2'])
  expect(noted[0]?.content).toBe('')
  expect(outline(withoutComment(noted, 2))).toEqual([])
})

test('among the answers, too: a note goes with the last answer to it', () => {
  const noted = withoutComment([thread(1, [comment(2, 1), comment(3, 2), comment(4, 3)])], 2)
  expect(outline(noted)).toEqual(['1: 2- 3 4'])
  const shorter = withoutComment(noted, 3)
  expect(outline(shorter)).toEqual(['1: 2- 3- 4'])
  expect(outline(withoutComment(shorter, 4))).toEqual(['1'])
})

test('an answer to the comment on top names nobody, one to another answer names its author', () => {
  const [first, second] = [comment(2, 1), comment(3, 2)]
  const held = thread(1, [first, second])
  expect(answeredBy(held, first)).toBeUndefined()
  expect(answeredBy(held, second)).toBe(first)
})

/** `1-: 2 3` is a deleted comment with two answers. */
function outline(threads: readonly Thread[]): string[] {
  const name = ({ id, is_deleted }: Comment) => `${id}${is_deleted ? '-' : ''}`
  return threads.map((one) => [name(one), one.reply.map(name).join(' ')].filter(Boolean).join(': '))
}

function thread(id: number, reply: Comment[] = []): Thread {
  return { ...comment(id), reply }
}

function comment(id: number, parent_id = 0): Comment {
  const user = {
    id: 1,
    username: '李白',
    avatar: '',
    signature: '',
    is_vip: false,
    doc_count: 0,
    article_count: 0,
    follow_count: 0,
    fans_count: 0,
    favorite_count: 0,
    comment_count: 0,
    credit_count: 0,
  }
  return {
    id,
    parent_id,
    type: 0,
    document_id: 1,
    document_title: '',
    document_uuid: '',
    content: '举头望明月',
    status: 1,
    is_deleted: false,
    comment_count: 0,
    user_id: 1,
    user,
    ip: '',
    created_at: 0,
    updated_at: 0,
  }
}
