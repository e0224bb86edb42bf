import { Link } from 'react-router'
import type { Route } from './+types/upload.ts'
import { categories } from '#shared/contract/site.ts'
import { UploadDesk } from '#web/features/documents/upload/upload-desk.tsx'
import { Page } from '#web/features/site/page.tsx'
import { loginFor } from '#web/lib/guards.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { toTree } from '#web/lib/tree.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx'

// Asked for here, since the site's own list may leave out those without documents, which are to get some.
export const clientLoader = load(async ({ api }) => {
  const { category } = await api(categories.list, { field: ['id', 'title', 'parent_id'], type: [0], enable: [true] })
  return { categories: toTree(category.map(({ id, title, parent_id }) => ({ id, title, parent_id }))) }
}).client

export default function Upload({ loaderData: { categories } }: Route.ComponentProps) {
  const session = useSession()
  const may = session.groups.some((group) => group.enable_upload)
  return (
    <Page>
      <h1 className="mb-5 text-2xl">上传文档</h1>
      {!isSignedIn(session) && (
        <Notice tone="warning">
          请先
          <Link to={loginFor({ pathname: '/upload', search: '' })} className="underline underline-offset-4">
            登录
          </Link>
          ，再上传文档。
        </Notice>
      )}
      {isSignedIn(session) && !may && (
        <Notice tone="warning">您所在的用户组没有上传文档的权限，需要时请联系管理员。</Notice>
      )}
      {isSignedIn(session) && may && <UploadDesk user={session.user.id} categories={categories} />}
    </Page>
  )
}

export function HydrateFallback() {
  return (
    <Page>
      <h1 className="mb-5 text-2xl">上传文档</h1>
      <div className="space-y-5">
        <Card>
          <SkeletonRows count={5} />
        </Card>
        <Skeleton className="h-48" />
      </div>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '上传文档' })
}
