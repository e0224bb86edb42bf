import type { Route } from './+types/upload.ts'
import { Page } from '#web/features/site/page.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice } from '#web/ui/notice.tsx'

export default function Upload() {
  const session = useSession()
  const may = session.groups.some((group) => group.enable_upload)
  return (
    <Page narrow>
      <h1 className="mb-6 text-2xl">上传文档</h1>
      {isSignedIn(session) && !may && (
        <Notice tone="warning">您所在的用户组没有上传文档的权限，需要时请联系管理员。</Notice>
      )}
      <EmptyState title="文档上传还没有开放" action={<ButtonLink to="/">返回首页</ButtonLink>}>
        开放后，您可以在这里上传文档。
      </EmptyState>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '上传文档' })
}
