import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { expect, test } from 'vitest'
import type { Comment, Thread } from '#shared/contract/comments.ts'
import {
  repliedTo,
  mergeThreads,
  mayBeUnloaded,
  nextPage,
  withComment,
  withoutComment,
} from '#web/features/social/comments/threads.ts'

test('the next page adds new threads, and those that have moved down since are not shown twice', () => {
  const loaded = [thread(9), thread(8), thread(7)]
  expect(outline(mergeThreads(loaded, [thread(7, [comment(10, 7)]), thread(6)]))).toEqual(['9', '8', '7: 10', '6'])
})

test('when one of twenty threads is deleted, its page is loaded again', () => {
  expect(nextPage(20, 20)).toBe(2)
  expect(nextPage(21, 20)).toBe(2)
  expect(nextPage(19, 20)).toBe(1)
  expect(nextPage(40, 20)).toBe(3)
})

test('a linked comment is looked for until it is loaded, or all threads are', () => {
  const loaded = [thread(9), thread(8, [comment(10, 8)])]
  expect(mayBeUnloaded(7, loaded, 3)).toBe(true)
  expect(mayBeUnloaded(7, loaded, 2)).toBe(false)
  expect(mayBeUnloaded(8, loaded, 3)).toBe(false)
  expect(mayBeUnloaded(10, loaded, 3)).toBe(false)
  expect(mayBeUnloaded(0, loaded, 3)).toBe(false)
})

test('a new comment comes first, a reply last in its thread whichever comment it replies to', () => {
  const loaded = [thread(2), thread(1, [comment(3, 1)])]
  expect(outline(withComment(loaded, comment(4)))).toEqual(['4', '2', '1: 3'])
  expect(outline(withComment(loaded, comment(4, 1)))).toEqual(['2', '1: 3 4'])
  expect(outline(withComment(loaded, comment(4, 3)))).toEqual(['2', '1: 3 4'])
})

test('a comment without replies disappears', () => {
  const loaded = [thread(2), thread(1, [comment(3, 1)])]
  expect(outline(withoutComment(loaded, 2))).toEqual(['1: 3'])
  expect(outline(withoutComment(loaded, 3))).toEqual(['2', '1'])
})

test('a comment with replies leaves an empty tombstone until the last reply is gone', () => {
  const tombstones = withoutComment([thread(1, [comment(2, 1)])], 1)
  expect(outline(tombstones)).toEqual(['1-: 2'])
  expect(tombstones[0]?.content).toBe('')
  expect(outline(withoutComment(tombstones, 2))).toEqual([])
})

test('a tombstone among the replies goes with the last reply to it', () => {
  const tombstones = withoutComment([thread(1, [comment(2, 1), comment(3, 2), comment(4, 3)])], 2)
  expect(outline(tombstones)).toEqual(['1: 2- 3 4'])
  const shorter = withoutComment(tombstones, 3)
  expect(outline(shorter)).toEqual(['1: 2- 3- 4'])
  expect(outline(withoutComment(shorter, 4))).toEqual(['1'])
})

test('a reply to the first comment names no author, one to another reply does', () => {
  const [first, second] = [comment(2, 1), comment(3, 2)]
  const loaded = thread(1, [first, second])
  expect(repliedTo(loaded, first)).toBeUndefined()
  expect(repliedTo(loaded, second)).toBe(first)
})

/** `1-: 2 3` is a deleted comment with two replies. */
function outline(threads: readonly Thread[]): string[] {
  const name = ({ id, is_deleted }: Comment) => `${id}${is_deleted ? '-' : ''}`
  return threads.map((thread) => [name(thread), thread.reply.map(name).join(' ')].filter(Boolean).join(': '))
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
    type: ContentType.Document,
    document_id: 1,
    document_title: '',
    document_uuid: '',
    content: '举头望明月',
    status: ReviewStatus.Approved,
    reject_reason: '',
    is_deleted: false,
    comment_count: 0,
    user_id: 1,
    user,
    ip: '',
    created_at: 0,
    updated_at: 0,
  }
}
