import { ContentType } from '#shared/enums.ts'
import type { Route } from './+types/upload.ts'
import { categories } from '#shared/contract/catalog.ts'
import { UploadPage } from '#web/features/documents/upload/upload-page.tsx'
import { Page } from '#web/ui/page.tsx'
import { canUpload } from '#web/domain/contributions.ts'
import { loginPath } from '#web/domain/guard-rules.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { toTree } from '#web/lib/tree.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LibraryCardDrawing } from '#web/ui/drawings/library-card.tsx'

// The site's own list may leave out categories without documents.
export const clientLoader = load(async ({ api }) => {
  const { category } = await api(categories.list, {
    field: ['id', 'title', 'parent_id'],
    type: [ContentType.Document],
    enable: [true],
  })
  return { categories: toTree(category.map(({ id, title, parent_id }) => ({ id, title, parent_id }))) }
}).client

export default function Upload({ loaderData: { categories } }: Route.ComponentProps) {
  const session = useSession()
  const isAllowed = canUpload(session)
  return (
    <Page>
      <h1 className="mb-5 text-2xl">上传文档</h1>
      {!isSignedIn(session) && (
        <EmptyState
          title="请先登录，再上传文档"
          drawing={<LibraryCardDrawing />}
          action={
            <ButtonLink to={loginPath({ pathname: '/upload', search: '' })} variant="primary">
              登录
            </ButtonLink>
          }
        >
          上传的文档会出现在您的主页上，随时可以修改和删除。
        </EmptyState>
      )}
      {isSignedIn(session) && !isAllowed && (
        <Notice tone="warning">您所在的用户组没有上传文档的权限，需要时请联系管理员。</Notice>
      )}
      {isSignedIn(session) && isAllowed && (
        <UploadPage user={session.user.id} documentCount={session.user.doc_count} categories={categories} />
      )}
    </Page>
  )
}

export function HydrateFallback() {
  return (
    <Page>
      <h1 className="mb-5 text-2xl">上传文档</h1>
      <div className="space-y-5">
        <Skeleton className="h-56" />
        <Card>
          <SkeletonRows count={5} />
        </Card>
      </div>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '上传文档' })
}
