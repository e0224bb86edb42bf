import type { ReactNode } from 'react'
import { useInvitations } from '#web/domain/contributions.ts'
import { ListFilterForm } from '#web/features/lists/list-filter-form.tsx'
import { hasFilters, type ListFilters } from '#web/features/lists/list-filters.ts'
import type { UserPart } from '#web/features/users/user-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'

interface UserContentListProps {
  userId: number
  part: Exclude<UserPart, '' | '/collection'>
  filters: ListFilters
  total: number
  children: (list: { isOwn: boolean; empty: ReactNode }) => ReactNode
}

/** The public documents or articles of a user, with filters. */
export function UserContentList({ userId, part, filters, total, children }: UserContentListProps) {
  const isOwn = useSession().user.id === userId
  const isFiltered = hasFilters(filters)
  const path = `/user/${userId}${part}`
  const { note, manage } = texts[part]
  return (
    <>
      {isOwn && (
        <p className="mb-5 flex items-center justify-between gap-4 text-sm text-muted">
          {note}
          <ButtonLink to={manage.to} size="sm">
            {manage.title}
          </ButtonLink>
        </p>
      )}
      {(total > 0 || isFiltered) && (
        <div className="mb-5">
          <ListFilterForm filters={filters} path={path} />
        </div>
      )}
      {children({
        isOwn,
        empty: <NoRows part={part} path={path} isOwn={isOwn} isFiltered={isFiltered} hasPages={total > 0} />,
      })}
    </>
  )
}

interface NoRowsProps extends Pick<UserContentListProps, 'part'> {
  path: string
  isOwn: boolean
  isFiltered: boolean
  /** Other pages of the list have rows. */
  hasPages: boolean
}

function NoRows({ part, path, isOwn, isFiltered, hasPages }: NoRowsProps) {
  const invited = useInvitations()
  const { none, forOthers, forOwner, create } = texts[part]
  if (hasPages) return <EmptyState title="没有这一页" action={<ButtonLink to={path}>回到第一页</ButtonLink>} />
  if (isFiltered) {
    return (
      <EmptyState title="没有找到" action={<ButtonLink to={path}>显示全部</ButtonLink>}>
        换个词或别的时间试试。
      </EmptyState>
    )
  }
  if (!isOwn) return <EmptyState title={none}>{forOthers}</EmptyState>
  return (
    <EmptyState
      title={none}
      action={invited[create.invitation] && <ButtonLink to={create.to}>{create.title}</ButtonLink>}
    >
      {forOwner}
    </EmptyState>
  )
}

const texts = {
  '/document': {
    note: '还没有公开的文档只有您自己能看到。',
    manage: { to: '/me/document', title: '管理我的文档' },
    none: '还没有文档',
    forOthers: '这里会列出已公开的文档。',
    forOwner: '您上传的文档会列在这里。',
    create: { to: '/upload', title: '上传文档', invitation: 'upload' },
  },
  '/article': {
    note: '还没有通过审核的文章不在这里。',
    manage: { to: '/me/article', title: '管理我的文章' },
    none: '还没有文章',
    forOthers: '这里会列出已公开的文章。',
    forOwner: '您发布的文章通过审核后会列在这里。',
    create: { to: '/post', title: '发布文章', invitation: 'publish' },
  },
} as const
