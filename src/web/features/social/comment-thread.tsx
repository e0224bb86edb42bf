import { useState } from 'react'
import type { Comment, Thread } from '#shared/contract/social.ts'
import { CommentItem, type CommentDeeds } from '#web/features/social/comment-item.tsx'
import { answeredBy } from '#web/features/social/threads.ts'

interface CommentThreadProps extends CommentDeeds {
  thread: Thread
}

/** Beyond this, the rest waits until it is wanted. */
const atFirst = 5

/** A comment and, in one row below it, all that was answered. */
export function CommentThread({ thread, onPosted, ...deeds }: CommentThreadProps) {
  const [isOpened, setIsOpened] = useState(false)
  const isWhole = isOpened || thread.reply.length <= atFirst + 1 || thread.reply.some(({ id }) => id === deeds.wanted)
  const shown = isWhole ? thread.reply : thread.reply.slice(0, atFirst)
  const post = (comment: Comment) => {
    setIsOpened(true)
    onPosted(comment)
  }
  return (
    <>
      <CommentItem comment={thread} onPosted={post} {...deeds} />
      {thread.reply.length > 0 && (
        <ul aria-label="回复" className="mt-4 ml-4 space-y-5 border-l border-line pl-4 sm:ml-12">
          {shown.map((answer) => (
            <li key={answer.id}>
              <CommentItem comment={answer} to={answeredBy(thread, answer)} onPosted={post} {...deeds} />
            </li>
          ))}
          {!isWhole && (
            <li>
              <button
                type="button"
                onClick={() => setIsOpened(true)}
                className="min-h-8 text-sm font-medium text-accent hover:underline"
              >
                展开其余 {thread.reply.length - atFirst} 条回复
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
