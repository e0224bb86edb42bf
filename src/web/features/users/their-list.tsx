import type { ReactNode } from 'react'
import { NarrowingForm } from '#web/features/users/narrowing-form.tsx'
import { isNarrowed, type Narrowing } from '#web/features/users/narrowing.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

interface Way {
  to: string
  title: string
}

interface Words {
  /** What owners are told above the list, and where they look after it. */
  note: string
  manage: Way
  none: string
  /** What is said when there is nothing: to others, and to the owner, who can begin. */
  forOthers: string
  forOwner: string
  begin: Way
}

interface TheirListProps {
  isOwn: boolean
  narrowing: Narrowing
  total: number
  /** Where the whole list is. */
  address: string
  words: Words
  /** The list, with what stands there when it is empty. */
  children: (empty: ReactNode) => ReactNode
}

/** What somebody has made, as everybody may look through it. */
export function TheirList({ isOwn, narrowing, total, address, words, children }: TheirListProps) {
  const isPart = isNarrowed(narrowing)
  return (
    <>
      {isOwn && (
        <p className="mb-5 flex items-center justify-between gap-4 text-sm text-muted">
          {words.note}
          <ButtonLink to={words.manage.to} size="sm">
            {words.manage.title}
          </ButtonLink>
        </p>
      )}
      {(total > 0 || isPart) && (
        <div className="mb-5">
          <NarrowingForm narrowing={narrowing} address={address} />
        </div>
      )}
      {children(<Nothing isOwn={isOwn} isPart={isPart} hasOthers={total > 0} address={address} words={words} />)}
    </>
  )
}

interface NothingProps extends Pick<TheirListProps, 'isOwn' | 'address' | 'words'> {
  isPart: boolean
  hasOthers: boolean
}

function Nothing({ isOwn, isPart, hasOthers, address, words }: NothingProps) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to={address}>回到第一页</ButtonLink>} />
  if (isPart) {
    return (
      <EmptyState title="没有找到" action={<ButtonLink to={address}>显示全部</ButtonLink>}>
        换个词或别的时间试试。
      </EmptyState>
    )
  }
  if (!isOwn) return <EmptyState title={words.none}>{words.forOthers}</EmptyState>
  return (
    <EmptyState title={words.none} action={<ButtonLink to={words.begin.to}>{words.begin.title}</ButtonLink>}>
      {words.forOwner}
    </EmptyState>
  )
}
