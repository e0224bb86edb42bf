import { useState } from 'react'
import type { Comment, Thread } from '#shared/contract/comments.ts'
import { CommentItem, type CommentHandlers } from '#web/features/social/comments/comment-item.tsx'
import { repliedTo } from '#web/features/social/comments/threads.ts'

interface CommentThreadProps extends CommentHandlers {
  thread: Thread
}

/** More replies are shown on demand. */
const collapsedReplies = 5

/** A comment, and below it the flat list of all replies. */
export function CommentThread({ thread, onPosted, ...handlers }: CommentThreadProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const isWhole =
    isExpanded || thread.reply.length <= collapsedReplies + 1 || thread.reply.some(({ id }) => id === handlers.linkedId)
  const shown = isWhole ? thread.reply : thread.reply.slice(0, collapsedReplies)
  const post = (comment: Comment) => {
    setIsExpanded(true)
    onPosted(comment)
  }
  return (
    <>
      <CommentItem comment={thread} onPosted={post} {...handlers} />
      {thread.reply.length > 0 && (
        <ul aria-label="回复" className="mt-4 ml-4 space-y-5 border-l border-line pl-4 sm:ml-12">
          {shown.map((reply) => (
            <li key={reply.id}>
              <CommentItem comment={reply} to={repliedTo(thread, reply)} onPosted={post} {...handlers} />
            </li>
          ))}
          {!isWhole && (
            <li>
              <button
                type="button"
                onClick={() => setIsExpanded(true)}
                className="min-h-8 text-sm font-medium text-accent hover:underline"
              >
                展开其余 {thread.reply.length - collapsedReplies} 条回复
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
