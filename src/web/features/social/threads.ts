import type { Comment, Thread } from '#shared/contract/social.ts'

/** What is held of the comments below a page, as it changes without being asked for again. */

/** New ones below those that are held; what is held already is brought up to date where it stands. */
export function joined(held: readonly Thread[], next: readonly Thread[]): Thread[] {
  const fresh = new Map(next.map((thread) => [thread.id, thread]))
  const known = held.map((thread) => fresh.get(thread.id) ?? thread)
  const knownIds = new Set(held.map(({ id }) => id))
  return [...known, ...next.filter(({ id }) => !knownIds.has(id))]
}

/** Which page to ask for next, when some have come and gone since the last one. */
export function nextPage(held: number, size: number): number {
  return Math.floor(held / size) + 1
}

/** Whether the wanted comment, if there is one, may be among the threads up to this many that are not held yet. */
export function mayStillCome(wanted: number, held: readonly Thread[], threads: number): boolean {
  return wanted > 0 && held.length < threads && !held.some((thread) => holds(thread, wanted))
}

/** A comment stands on top, where its author looks for it; an answer last in the thread that it belongs to. */
export function withComment(held: readonly Thread[], comment: Comment): Thread[] {
  if (comment.parent_id === 0) return [{ ...comment, reply: [] }, ...held]
  return held.map((thread) =>
    holds(thread, comment.parent_id) ? { ...thread, reply: [...thread.reply, comment] } : thread,
  )
}

/** What others have answered leaves a note behind; the rest goes. */
export function withoutComment(held: readonly Thread[], id: number): Thread[] {
  return held.flatMap((thread) => {
    if (!holds(thread, id)) return [thread]
    const gone = <T extends Comment>(one: T): T => (one.id === id ? { ...one, is_deleted: true, content: '' } : one)
    const root = gone(thread)
    const reply = answeredOrAlive(thread.reply.map(gone))
    return root.is_deleted && reply.length === 0 ? [] : [{ ...root, reply }]
  })
}

/** Whom an answer names: nobody when it answers what stands on top. */
export function answeredBy(thread: Thread, { parent_id }: Comment): Comment | undefined {
  return thread.reply.find(({ id }) => id === parent_id)
}

function holds(thread: Thread, id: number): boolean {
  return thread.id === id || thread.reply.some((answer) => answer.id === id)
}

/** Taking one away may leave another that nobody answers any more. */
function answeredOrAlive(answers: readonly Comment[]): Comment[] {
  const parents = new Set(answers.map(({ parent_id }) => parent_id))
  const kept = answers.filter((answer) => !answer.is_deleted || parents.has(answer.id))
  return kept.length === answers.length ? kept : answeredOrAlive(kept)
}
