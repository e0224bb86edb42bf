import { Avatar, Tag } from 'antd'
import type { Comment } from '#shared/contract/comments.ts'
import { contentTypeLabels, ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import styles from '#web/admin/review/review.module.css'

interface CommentPreviewProps {
  comment: Comment
  thread: readonly Comment[]
  targetHref: string
}

/** The comment among those before and after it in its thread, below what it is about. */
export function CommentPreview({ comment, thread, targetHref }: CommentPreviewProps) {
  const { type, document_title } = comment
  return (
    <div className={styles.thread}>
      <p>
        评论的{contentTypeLabels[type]}：
        {document_title ? (
          <a href={targetHref} target="_blank" rel="noreferrer">
            {document_title}
          </a>
        ) : (
          '已被删除'
        )}
      </p>
      <ol>
        {thread.map((one) => (
          <ThreadComment key={one.id} comment={one} isReviewed={one.id === comment.id} thread={thread} />
        ))}
      </ol>
    </div>
  )
}

interface ThreadCommentProps {
  comment: Comment
  isReviewed: boolean
  thread: readonly Comment[]
}

function ThreadComment({ comment, isReviewed, thread }: ThreadCommentProps) {
  const { user, content, status, created_at, parent_id, is_deleted } = comment
  const parent = thread.find(({ id }) => id === parent_id)
  return (
    <li className={isReviewed ? styles.reviewed : styles.comment} aria-current={isReviewed || undefined}>
      <Avatar size={28} src={user.avatar || '/avatar.svg'} alt="" />
      <div>
        <p className={styles.commentHead}>
          <strong>{user.username}</strong>
          {parent && <span>回复 {parent.user.username}</span>}
          <span>{created_at ? formatTime(created_at) : ''}</span>
          {isReviewed && <Tag color="gold">{reviewStatusLabels[status]}</Tag>}
          {!isReviewed && status !== ReviewStatus.Approved && <Tag variant="filled">{reviewStatusLabels[status]}</Tag>}
        </p>
        <p className={styles.text}>{is_deleted ? '（已删除）' : content}</p>
      </div>
    </li>
  )
}
