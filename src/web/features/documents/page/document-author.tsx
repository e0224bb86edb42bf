import { Link } from 'react-router'
import { FollowTarget } from '#shared/collections.ts'
import { documentPath } from '#web/domain/paths.ts'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'
import { FollowButton } from '#web/features/social/follow/follow-button.tsx'
import { AuthorCard } from '#web/features/users/author-card.tsx'

interface DocumentAuthorProps {
  author: { id: number; username: string; avatar: string; signature: string; is_vip: boolean; doc_count: number }
  latest: { id: number; uuid: string; title: string; ext: string }[]
}

export function DocumentAuthor({ author, latest }: DocumentAuthorProps) {
  return (
    <AuthorCard
      label="上传者"
      author={author}
      counts={`${author.doc_count} 份文档`}
      latestTitle="最近上传"
      action={<FollowButton kind={FollowTarget.Author} id={author.id} ownerId={author.id} />}
    >
      {latest.map((document) => (
        <li key={document.id}>
          <Link to={documentPath(document)} className="flex items-start gap-2 py-1.5 hover:text-accent">
            <span className="mt-0.5">
              <KindIcon ext={document.ext} size={16} />
            </span>
            <span className="line-clamp-2 font-title">{document.title}</span>
          </Link>
        </li>
      ))}
    </AuthorCard>
  )
}
