import type { Comment, Thread } from '#shared/contract/comments.ts'

/** The loaded comments of a page, updated in the browser without loading them again. */

/** Appends new threads, and updates those that are loaded already in place. */
export function mergeThreads(loaded: readonly Thread[], next: readonly Thread[]): Thread[] {
  const fresh = new Map(next.map((thread) => [thread.id, thread]))
  const updated = loaded.map((thread) => fresh.get(thread.id) ?? thread)
  const loadedIds = new Set(loaded.map(({ id }) => id))
  return [...updated, ...next.filter(({ id }) => !loadedIds.has(id))]
}

/** The page to load next; deletions since the last one move threads to earlier pages. */
export function nextPage(loaded: number, size: number): number {
  return Math.floor(loaded / size) + 1
}

/** Whether the linked comment, if there is one, may be in the threads up to this total that are not loaded yet. */
export function mayBeUnloaded(linkedId: number, loaded: readonly Thread[], total: number): boolean {
  return linkedId > 0 && loaded.length < total && !loaded.some((thread) => contains(thread, linkedId))
}

/** A new comment comes first, a reply last in its thread. */
export function withComment(loaded: readonly Thread[], comment: Comment): Thread[] {
  if (comment.parent_id === 0) return [{ ...comment, reply: [] }, ...loaded]
  return loaded.map((thread) =>
    contains(thread, comment.parent_id) ? { ...thread, reply: [...thread.reply, comment] } : thread,
  )
}

/** A comment with replies leaves a tombstone. */
export function withoutComment(loaded: readonly Thread[], id: number): Thread[] {
  return loaded.flatMap((thread) => {
    if (!contains(thread, id)) return [thread]
    const withTombstone = <T extends Comment>(comment: T): T =>
      comment.id === id ? { ...comment, is_deleted: true, content: '' } : comment
    const root = withTombstone(thread)
    const reply = dropTombstones(thread.reply.map(withTombstone))
    return root.is_deleted && reply.length === 0 ? [] : [{ ...root, reply }]
  })
}

/** The reply that another reply replies to; undefined if it replies to the thread's first comment. */
export function repliedTo(thread: Thread, { parent_id }: Comment): Comment | undefined {
  return thread.reply.find(({ id }) => id === parent_id)
}

function contains(thread: Thread, id: number): boolean {
  return thread.id === id || thread.reply.some((reply) => reply.id === id)
}

/** Removes tombstones without replies; removing one may leave another. */
function dropTombstones(replies: readonly Comment[]): Comment[] {
  const parents = new Set(replies.map(({ parent_id }) => parent_id))
  const rest = replies.filter((reply) => !reply.is_deleted || parents.has(reply.id))
  return rest.length === replies.length ? rest : dropTombstones(rest)
}
