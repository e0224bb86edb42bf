import { type ClientLoaderFunctionArgs, useLoaderData } from 'react-router'
import type { Article } from '#shared/contract/articles.ts'
import { ArticleRenderer } from '#web/admin/review/article-preview.tsx'
import { loadReview, ReviewDesk } from '#web/admin/review/review-desk.client.tsx'
import { ArticleBody } from '#web/features/articles/body/article-body.tsx'
import { prepareHtml } from '#web/features/articles/body/prepare-html.ts'

export function clientLoader({ url }: ClientLoaderFunctionArgs) {
  return loadReview(url)
}

export default function AdminReview() {
  return (
    <ArticleRenderer value={renderArticle}>
      <ReviewDesk {...useLoaderData<typeof clientLoader>()} />
    </ArticleRenderer>
  )
}

function renderArticle({ id, content }: Article) {
  return <ArticleBody key={id} loaded={{ html: prepareHtml(content).html }} />
}
