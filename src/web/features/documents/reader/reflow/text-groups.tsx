import { RotateCw } from 'lucide-react'
import { Fragment } from 'react'
import { pagesPerReflow } from '#shared/reflow.ts'
import type { InlineAd } from '#web/features/ads/inline-ads.tsx'
import { Blocks, PageMark } from '#web/features/documents/reader/reflow/blocks.tsx'
import { toFlow, type FlowPage } from '#web/features/documents/reader/reflow/flow.ts'
import type { PageGroup, PageGroups } from '#web/features/documents/reader/reflow/page-groups.ts'
import { useWhenOnline } from '#web/lib/browser/online.ts'
import { Button } from '#web/ui/button.tsx'

interface TextGroupsProps {
  groups: PageGroups
  /** The address of the pictures in the text. */
  pictures: string
  preview: number
  onRetry: (first: number) => void
  /** Shows a page as it was made. */
  onPage: (page: number) => void
  /** One stands between two groups. */
  ads: readonly InlineAd[]
}

/** In lines, before the height of a page is known. */
const linesPerPage = 26

/** The text of all pages; where it is not loaded, a space of about its height. */
export function TextGroups({ groups, pictures, preview, onRetry, onPage, ads }: TextGroupsProps) {
  const flow = toFlow([...groups].toSorted(([a], [b]) => a - b).flatMap(([, { pages }]) => pages))
  const firsts = Array.from({ length: Math.ceil(preview / pagesPerReflow) }, (_, index) => index * pagesPerReflow + 1)
  return firsts.map((first, index) => {
    const last = Math.min(first + pagesPerReflow - 1, preview)
    const group = groups.get(first)
    const pages = flow.filter(({ page }) => page >= first && page <= last)
    return (
      <Fragment key={first}>
        {index > 0 && ads.length > 0 && (
          <div data-beside-text className="my-[1em]">
            {ads[(index - 1) % ads.length]?.content}
          </div>
        )}
        <div data-first={first} data-last={last}>
          {pages.map((page) => (
            <TextPage key={page.page} {...page} pictures={pictures} onPage={onPage} />
          ))}
          {pages.length === 0 && <Absent group={group} first={first} last={last} onRetry={() => onRetry(first)} />}
        </div>
      </Fragment>
    )
  })
}

interface AbsentProps {
  group: PageGroup | undefined
  first: number
  last: number
  onRetry: () => void
}

function Absent({ group, first, last, onRetry }: AbsentProps) {
  if (group?.state === 'failed') return <FailedGroup first={first} last={last} onRetry={onRetry} />
  const height = group && group.height > 0 ? group.height : `${(last - first + 1) * linesPerPage}lh`
  return (
    <div aria-busy style={{ height }} className="overflow-hidden">
      <span className="sr-only">正在加载第 {first} 页起的文字</span>
      <span aria-hidden className="mt-3 block h-[0.8em] w-2/3 animate-breathe rounded-sm bg-sunken" />
      <span aria-hidden className="mt-3 block h-[0.8em] w-full animate-breathe rounded-sm bg-sunken" />
      <span aria-hidden className="mt-3 block h-[0.8em] w-5/6 animate-breathe rounded-sm bg-sunken" />
    </div>
  )
}

function FailedGroup({ first, last, onRetry }: Omit<AbsentProps, 'group'>) {
  useWhenOnline(onRetry)
  return (
    <div role="alert" className="flex min-h-80 flex-col items-center justify-center gap-3 text-base text-muted">
      <p>
        第 {first}–{last} 页的文字没有加载成功
      </p>
      <Button size="sm" onClick={onRetry}>
        <RotateCw size={14} aria-hidden />
        重试
      </Button>
    </div>
  )
}

interface TextPageProps extends FlowPage {
  pictures: string
  onPage: (page: number) => void
}

function TextPage({ page, isJoined, isEmpty, blocks, pictures, onPage }: TextPageProps) {
  return (
    <>
      {!isJoined && <PageMark page={page} />}
      {isEmpty && (
        <p data-beside-text className="my-[1em] text-center text-base text-muted">
          第 {page} 页没有文字
          <button type="button" onClick={() => onPage(page)} className="min-h-9 px-2 text-accent hover:underline">
            查看原版
          </button>
        </p>
      )}
      <Blocks blocks={blocks} pictures={pictures} />
    </>
  )
}
