import { Link } from 'react-router'
import { documentPath } from '#web/lib/paths.ts'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

interface AuthorCardProps {
  author: { id: number; username: string; avatar: string; signature: string; doc_count: number }
  latest: { id: number; uuid: string; title: string; ext: string }[]
}

/** Who shared the document, and what else they have shared lately. */
export function AuthorCard({ author: { id, username, avatar, signature, doc_count }, latest }: AuthorCardProps) {
  return (
    <section aria-label="上传者" className="rounded-lg border border-line bg-surface p-4">
      <Link to={`/user/${id}`} className="flex items-center gap-3 hover:text-accent">
        <Avatar src={avatar} name={username} size={44} />
        <span className="min-w-0">
          <span className="block truncate font-medium">{username}</span>
          <span className="block text-sm text-muted">{doc_count} 份文档</span>
        </span>
      </Link>
      {signature && <p className="mt-3 line-clamp-2 text-sm text-muted">{signature}</p>}
      {latest.length > 0 && (
        <>
          <h2 className="mt-4 mb-1 text-sm font-medium text-muted">最近上传</h2>
          <ul className="text-sm">
            {latest.map((document) => (
              <li key={document.id}>
                <Link to={documentPath(document)} className="flex items-start gap-2 py-1.5 hover:text-accent">
                  <span className="mt-0.5">
                    <KindIcon ext={document.ext} size={16} />
                  </span>
                  <span className="line-clamp-2">{document.title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
