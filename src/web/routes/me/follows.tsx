import type { Route } from './+types/follows.ts'
import { allCodes } from '#shared/codes.ts'
import { FollowTarget, followTargetLabels } from '#shared/collections.ts'
import { follows } from '#shared/contract/follows.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { FollowRow } from '#web/features/collections/follow-row.tsx'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { load } from '#web/lib/load.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) => {
  const asked = Number(url.searchParams.get('kind'))
  const kind = allCodes(FollowTarget).find((code) => code === asked) ?? FollowTarget.Author
  const page = parsePage(url.searchParams)
  return { kind, page, ...(await api(follows.list, { kind, page, size })) }
}).client

export default function MyFollows({ loaderData: { kind, page, total, follow } }: Route.ComponentProps) {
  return (
    <Card title="我的关注">
      <div className="-mt-2 mb-5 border-b border-line">
        <ChoiceTabs
          label="关注的类别"
          choices={allCodes(FollowTarget).map((code) => ({
            title: followTargetLabels[code],
            to: pathOf(code),
            isChosen: code === kind,
          }))}
        />
      </div>
      <MemberList
        total={total}
        size={size}
        rows={follow.length}
        firstPage={pathOf(kind)}
        empty={
          <EmptyState title={empty[kind].title} action={<ButtonLink to={empty[kind].to}>去逛逛</ButtonLink>}>
            {empty[kind].hint}
          </EmptyState>
        }
      >
        <ul key={`${kind} ${page}`} className="divide-y divide-line">
          {follow.map((row) => (
            <FollowRow key={row.id} follow={row} />
          ))}
        </ul>
      </MemberList>
    </Card>
  )
}

function pathOf(kind: FollowTarget): string {
  return kind === FollowTarget.Author ? '/me/follows' : `/me/follows?kind=${kind}`
}

const empty: Record<FollowTarget, { title: string; to: string; hint: string }> = {
  [FollowTarget.Author]: { title: '还没有关注作者', to: '/category', hint: '关注后，作者发布新内容时会通知您。' },
  [FollowTarget.Category]: { title: '还没有关注分类', to: '/category', hint: '关注后，分类里有新内容时会通知您。' },
  [FollowTarget.Collection]: {
    title: '还没有关注文集',
    to: '/collections',
    hint: '关注后，文集里有新内容时会通知您。',
  },
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的关注' })
}
