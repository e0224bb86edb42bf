import type { Route } from './+types/user-documents.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentList } from '#web/features/documents/browse/document-list.tsx'
import { reachable } from '#web/features/documents/browse/list-query.ts'
import { listed } from '#web/features/documents/browse/listed.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { askedIn } from '#web/features/users/asked.ts'
import { personMeta } from '#web/features/users/person-meta.ts'
import { TheirList } from '#web/features/users/their-list.tsx'
import { load } from '#web/lib/load.ts'
import { useOwnEyes } from '#web/lib/own-eyes.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSession } from '#web/lib/session.ts'

/** What is found by words comes in pages of ten. */
const size = 10

const page = load(async ({ api, ...given }) => {
  const { asked, ...shown } = askedIn(given)
  const { wd } = shown.narrowing
  // By words, what fits best comes first.
  const { total, document } =
    wd === '' ? await api(documents.list, { ...asked, size }) : await api(documents.search, { ...asked, wd })
  return { ...shown, total, documents: document.map(listed), forStranger: import.meta.env.SSR }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserDocuments({ loaderData, matches }: Route.ComponentProps) {
  const { narrowing, total, documents, page, now, forStranger } = loaderData
  const { user, ads } = matches[2].loaderData
  const isOwn = useSession().user.id === user.id
  useOwnEyes({ forStranger, ownerId: user.id })
  return (
    <div className="mt-5">
      <AdSlot position="user_document_top" ads={ads} />
      <TheirList
        isOwn={isOwn}
        narrowing={narrowing}
        total={total}
        address={`/user/${user.id}/document`}
        words={{
          note: '还没有公开的文档只有您自己能看到。',
          manage: { to: '/me/document', title: '管理我的文档' },
          none: '还没有文档',
          forOthers: '这里会列出已公开的文档。',
          forOwner: '您上传的文档会列在这里。',
          begin: { to: '/upload', title: '上传文档' },
        }}
      >
        {(empty) => (
          <DocumentList
            documents={documents}
            total={reachable(total)}
            page={page}
            size={size}
            now={now}
            withStatus={isOwn}
            withAuthor={false}
            empty={empty}
          />
        )}
      </TheirList>
    </div>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData
  const user = matches[2].loaderData?.user
  if (!user) return pageMeta(site)
  const isEmpty = loaderData?.documents.length === 0
  return personMeta({ person: user, part: '/document', page: loaderData?.page, isEmpty }, site)
}
