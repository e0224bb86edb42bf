import { useState } from 'react'
import { useNavigate } from 'react-router'
import { articleVersions, type VersionItem } from '#shared/contract/article-versions.ts'
import type { Article } from '#shared/contract/articles.ts'
import { formatTime } from '#shared/format.ts'
import { prepareHtml } from '#web/features/articles/body/prepare-html.ts'
import { compareParagraphs, paragraphsOf } from '#web/features/editor/history/compare.ts'
import { articlePath } from '#web/domain/paths.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { cx } from '#web/ui/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'
import { SafeHtml } from '#web/ui/safe-html.tsx'

/** The versions of an article, one of them beside the list, compared with the article as it is. */
export function VersionHistory({ article, onClose }: { article: Article; onClose: () => void }) {
  const { data, error, refetch } = useQuery(article.id, () => api(articleVersions.list, { id: article.id }))
  const [chosen, setChosen] = useState(0)
  const versions = data?.version ?? []
  // The latest is the article as it is: the one before it is what an author looks for.
  const shown = versions.find(({ id }) => id === chosen) ?? versions[1]
  return (
    <Dialog open onOpenChange={onClose} title="历史版本" className="w-[min(64rem,calc(100vw-2rem))]">
      {error !== undefined && (
        <Notice tone="danger">
          {errorMessage(error, '没有加载成功')}
          <Button size="sm" variant="quiet" onClick={refetch}>
            重试
          </Button>
        </Notice>
      )}
      {!data && error === undefined && <SkeletonRows count={4} />}
      {data && versions.length === 0 && (
        <p className="mt-4 text-sm text-muted">这篇文章还没有修改过。以后每次保存都会留下一个版本，保留最近 30 个。</p>
      )}
      {shown && (
        <div className="mt-4 grid gap-5 md:grid-cols-[13rem_minmax(0,1fr)]">
          <ul
            aria-label="版本"
            className="max-h-[12rem] space-y-1 self-start overflow-y-auto md:sticky md:top-0 md:max-h-[65vh]"
          >
            {versions.map((version, at) => (
              <li key={version.id}>
                <button
                  type="button"
                  aria-current={version === shown ? 'true' : undefined}
                  onClick={() => setChosen(version.id)}
                  className={cx(
                    'w-full rounded-md px-3 py-2 text-left text-sm hover:bg-sunken',
                    version === shown && 'bg-accent-soft',
                  )}
                >
                  <span className="block tabular-nums">{describeTime(version)}</span>
                  <span className="block truncate text-muted">
                    {version.username}
                    {at === 0 && ' · 当前版本'}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <VersionView key={shown.id} article={article} version={shown} isCurrent={shown === versions[0]} />
        </div>
      )}
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>关闭</Button>
      </div>
    </Dialog>
  )
}

const toggleClass = 'aria-pressed:bg-sunken aria-pressed:text-ink'

interface VersionViewProps {
  article: Article
  version: VersionItem
  isCurrent: boolean
}

function VersionView({ article, version, isCurrent }: VersionViewProps) {
  const [isCompared, setIsCompared] = useState(false)
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(version.id, () => api(articleVersions.get, { id: version.id }))
  const restore = async () => {
    try {
      await api(articleVersions.restore, { id: version.id })
      toast('已恢复成这个版本')
      await navigate(articlePath(article))
    } catch (failure) {
      toast(errorMessage(failure, '没有恢复成功，请稍后重试'), 'danger')
    }
  }
  return (
    <section aria-label={`${describeTime(version)} 的版本`} className="min-w-0">
      <div className="sticky -top-6 z-10 flex flex-wrap items-center gap-2 border-b border-line bg-surface py-3">
        <Button
          size="sm"
          variant="quiet"
          className={toggleClass}
          aria-pressed={!isCompared}
          onClick={() => setIsCompared(false)}
        >
          这个版本
        </Button>
        <Button
          size="sm"
          variant="quiet"
          className={toggleClass}
          aria-pressed={isCompared}
          onClick={() => setIsCompared(true)}
        >
          与现在比较
        </Button>
        {!isCurrent && (
          <span className="ml-auto">
            <Confirm
              title="恢复成这个版本？"
              description="文章的标题、正文、摘要、标签和封面会换成这个版本的；现在的内容留在历史版本里。从文章里拿掉的图片会一起恢复。"
              action="恢复"
              onConfirm={restore}
              renderTrigger={(open) => (
                <Button size="sm" variant="primary" onClick={open}>
                  恢复这个版本
                </Button>
              )}
            />
          </span>
        )}
      </div>
      <div className="pt-4 wrap-anywhere">
        {error !== undefined && (
          <Notice tone="danger">
            {errorMessage(error, '没有加载成功')}
            <Button size="sm" variant="quiet" onClick={refetch}>
              重试
            </Button>
          </Notice>
        )}
        {!data && error === undefined && <SkeletonRows count={5} />}
        {data && !isCompared && (
          <>
            <h3 className="mb-4 font-title text-xl font-bold">{data.title}</h3>
            <SafeHtml html={prepareHtml(data.content).html} className="prose-cn text-[1.0625rem]" />
          </>
        )}
        {data && isCompared && <Comparison before={data} after={article} />}
      </div>
    </section>
  )
}

type Text = Pick<Article, 'title' | 'content'>

/** What is only in the version is struck out, what is only in the article is underlined. */
function Comparison({ before, after }: { before: Text; after: Text }) {
  const changes = compareParagraphs(
    [before.title, ...paragraphsOf(before.content)],
    [after.title, ...paragraphsOf(after.content)],
  ).map((change, number) => ({ ...change, number }))
  if (changes.every(({ kind }) => kind === 'same'))
    return <p className="text-sm text-muted">文字与现在的文章相同，可能只有格式、标签或封面不同。</p>
  return (
    <div className="space-y-2 leading-relaxed">
      {changes.map(({ kind, text, number }) => {
        if (kind === 'removed')
          return (
            <del key={number} className="block rounded-sm bg-danger-soft px-2 py-1 text-danger">
              {text}
            </del>
          )
        if (kind === 'added')
          return (
            <ins key={number} className="block rounded-sm bg-accent-soft px-2 py-1 decoration-1 underline-offset-4">
              {text}
            </ins>
          )
        return (
          <p key={number} className="px-2">
            {text}
          </p>
        )
      })}
    </div>
  )
}

function describeTime({ created_at }: VersionItem): string {
  return created_at === null ? '' : formatTime(created_at)
}
