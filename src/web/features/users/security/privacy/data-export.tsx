import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type DataExport, privacy } from '#shared/contract/privacy.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { creditNameOf, useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

const pollMs = 2000

/** The member's data as an archive: asked for, written in the background, downloaded. */
export function DataExportPart() {
  const { data, error, isLoading, refetch } = useQuery('export', () => api(privacy.getExport))
  const creditName = creditNameOf(useSite())
  const isPending = data?.state === 'waiting' || data?.state === 'running'
  useEffect(() => {
    if (!isPending || isLoading) return undefined
    const timer = setTimeout(refetch, pollMs)
    return () => clearTimeout(timer)
  }, [isPending, isLoading, refetch])
  return (
    <section aria-labelledby="export-title">
      <h3 id="export-title" className="font-medium">
        导出我的数据
      </h3>
      <p className="mt-1 text-sm text-muted">
        把您的资料、文档原文件、文章、评论、收藏、文集、订单、{creditName}和登录记录打包成一个 zip
        文件。每天可以导出一次，保留 7 天。
      </p>
      <div className="mt-4">
        {data && <ExportState data={data} onRequested={refetch} />}
        {!data && !error && <SkeletonRows count={1} />}
        {!data && error !== undefined && <ErrorState message="没有加载成功" retry={refetch} busy={isLoading} />}
      </div>
    </section>
  )
}

function ExportState({ data, onRequested }: { data: DataExport; onRequested: () => void }) {
  const { state, done, total, size, expires_at, next_at, link } = data
  if (state === 'waiting' || state === 'running') return <Progress done={done} total={total} />
  return (
    <div className="space-y-3">
      {state === 'failed' && <Notice tone="danger">导出没有成功，请重试；多次失败请联系管理员。</Notice>}
      {state === 'expired' && <p className="text-sm text-muted">上一次的导出已经过期，可以重新导出。</p>}
      {state === 'ready' && (
        <p className="text-sm text-muted">
          已经准备好，共 {formatSize(size)}，{expires_at !== null && `${formatTime(expires_at)} 之前可以下载。`}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {state === 'ready' && (
          <a
            href={link}
            download
            className="inline-flex h-10 items-center gap-2 rounded-md bg-accent px-4 text-sm font-medium text-on-accent hover:bg-accent-hover"
          >
            <Download size={16} aria-hidden />
            下载
          </a>
        )}
        <RequestButton nextAt={next_at} again={state !== 'none'} onRequested={onRequested} />
      </div>
    </div>
  )
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div>
      <label htmlFor="export-progress" className="text-sm text-muted">
        {total === 0 ? '正在排队…' : `正在打包，已完成 ${Math.floor((done / total) * 100)}%`}
        ，可以离开这个页面，完成后会发邮件告诉您。
      </label>
      <progress
        id="export-progress"
        max={total || 1}
        value={total === 0 ? undefined : done}
        className="mt-2 block h-2 w-full overflow-hidden rounded-full bg-sunken accent-accent"
      />
    </div>
  )
}

function RequestButton({
  nextAt,
  again,
  onRequested,
}: {
  nextAt: number | null
  again: boolean
  onRequested: () => void
}) {
  const [busy, setBusy] = useState(false)
  const request = async () => {
    setBusy(true)
    try {
      await api(privacy.requestExport)
      onRequested()
    } catch (error) {
      toast(error instanceof Error ? error.message : '操作失败，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }
  if (nextAt !== null) return <p className="text-sm text-muted">{formatTime(nextAt)} 之后可以再次导出</p>
  return (
    <Button busy={busy} onClick={() => void request()}>
      {again ? '重新导出' : '开始导出'}
    </Button>
  )
}
