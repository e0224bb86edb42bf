import { ReviewStatus } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Route } from './+types/user-profile.ts'
import { articles } from '#shared/contract/articles.ts'
import { documents } from '#shared/contract/documents.ts'
import { ArticleItem } from '#web/features/articles/browse/article-item.tsx'
import { toArticleSummary } from '#web/features/articles/browse/article-summary.ts'
import { CoverGrid, coverClass } from '#web/features/documents/browse/cover-grid.tsx'
import { toCoverTile } from '#web/features/documents/browse/document-summary.ts'
import { parseUserId } from '#web/features/users/list-params.ts'
import { userMeta } from '#web/features/users/user-meta.ts'
import { load } from '#web/lib/load.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'

const maxDocuments = 6
const maxArticles = 5

const page = load(async ({ api, params }) => {
  const filter = { user_id: [parseUserId(params)], order: 'id desc', page: 1 }
  const [{ document }, { article }] = await Promise.all([
    api(documents.list, { ...filter, status: [DocumentStatus.Converted], size: maxDocuments }),
    api(articles.list, { ...filter, status: [ReviewStatus.Approved], size: maxArticles }),
  ])
  return {
    documents: document.slice(0, maxDocuments).map(toCoverTile),
    articles: article.slice(0, maxArticles).map(toArticleSummary),
    now: Date.now(),
  }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserProfile({ loaderData: { documents, articles, now }, params }: Route.ComponentProps) {
  if (documents.length === 0 && articles.length === 0) {
    return <EmptyState title="还没有公开的内容">上传的文档和发布的文章会列在这里。</EmptyState>
  }
  return (
    <div className="mt-6 space-y-10">
      {documents.length > 0 && (
        <Section title="最近上传" to={`/user/${params.id}/document`}>
          <div className={coverClass}>
            <CoverGrid documents={documents} className="grid-cols-3 md:grid-cols-6" />
          </div>
        </Section>
      )}
      {articles.length > 0 && (
        <Section title="最近发布" to={`/user/${params.id}/article`}>
          <ul className="divide-y divide-line">
            {articles.map((article) => (
              <ArticleItem key={article.identifier} article={article} now={now} />
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return userMeta({ user: matches[2].loaderData?.user, part: '' }, matches[0].loaderData)
}

function Section({ title, to, children }: { title: string; to: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="mb-4 flex items-baseline justify-between">
        <h2 className="text-lg">{title}</h2>
        <Link to={to} className="inline-flex items-center text-sm text-muted hover:text-accent">
          全部
          <ChevronRight size={16} aria-hidden />
        </Link>
      </div>
      {children}
    </section>
  )
}
