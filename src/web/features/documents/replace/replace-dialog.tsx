import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Replacement, replacements } from '#shared/contract/document-files.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ReplacementStatus, replacementStatusLabels } from '#shared/enums.ts'
import { formatSize, formatTime } from '#shared/format.ts'
import { createReplacementQueue } from '#web/features/documents/replace/replacement-queue.ts'
import { uploadRules } from '#web/features/documents/upload/acceptance.ts'
import { describeRow } from '#web/features/documents/upload/row-text.ts'
import { isBusy } from '#web/features/documents/upload/row-state.ts'
import { UploadProgressBar } from '#web/features/documents/upload/upload-progress-bar.tsx'
import { useSite } from '#web/domain/site.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useStore } from '#web/lib/store.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ReplaceDialogProps {
  document: { id: number; title: string; ext: string; size: number; status: DocumentStatus }
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Readers see the new file from now on. */
  onReplaced: () => void
}

const pollMs = 1500

/** A new file for a document that keeps its address, comments and sales. Closing it gives up a file that is being sent. */
export function ReplaceDialog({ document, open, onOpenChange, onReplaced }: ReplaceDialogProps) {
  const [isSending, setSending] = useState(false)
  const close = () => onOpenChange(false)
  return (
    <Confirm
      title="放弃上传新文件？"
      description="新文件还没有上传完，关闭后需要重新上传。文档仍使用现在的文件。"
      action="放弃上传"
      danger
      // A file that was sent in the meantime can be withdrawn in the dialog, which stays open.
      onConfirm={async () => {
        if (isSending) close()
      }}
      renderTrigger={(ask) => (
        <Dialog
          open={open}
          onOpenChange={(next) => (!next && isSending ? ask() : onOpenChange(next))}
          title="替换文件"
          description={`${document.title}${document.ext} · ${formatSize(document.size)}`}
        >
          {open && (
            <Replacing
              id={document.id}
              isUnreadable={document.status === DocumentStatus.Failed}
              onSending={setSending}
              onClose={() => (isSending ? ask() : close())}
              onReplaced={onReplaced}
            />
          )}
        </Dialog>
      )}
    />
  )
}

interface ReplacingProps {
  id: number
  /** Nobody can open the file that is there. */
  isUnreadable: boolean
  onSending: (isSending: boolean) => void
  onClose: () => void
  onReplaced: () => void
}

function Replacing({ id, isUnreadable, onSending, onClose, onReplaced }: ReplacingProps) {
  const history = useQuery(id, () => api(replacements.ofDocument, { document_id: id }))
  const { data: allowance } = useQuery(id, () => api(documents.uploadAllowance))
  const [submitted, setSubmitted] = useState(0)
  const latest = history.data?.replacement[0]
  const { refetch } = history
  const [queue] = useState(() =>
    createReplacementQueue(id, (replacement) => {
      setSubmitted(replacement.id)
      refetch()
    }),
  )
  usePolling(latest?.status === ReplacementStatus.Converting && !history.isLoading, refetch)
  const replaced = useEffectEvent(onReplaced)
  const isReplaced = submitted > 0 && latest?.id === submitted && latest.status === ReplacementStatus.Published
  useEffect(() => {
    if (isReplaced) replaced()
  }, [isReplaced])
  // Files that are still being sent when the dialog closes are given up.
  useEffect(() => () => queue.clear(), [queue])
  const isEnded = submitted > 0 && latest?.id === submitted
  return (
    <>
      {latest && (isEnded || isWaiting(latest)) ? (
        <Standing replacement={latest} onWithdrawn={refetch} />
      ) : (
        <Explanation isReviewed={allowance?.is_reviewed ?? false} isUnreadable={isUnreadable} last={latest} />
      )}
      <FileToSend queue={queue} isSubmitted={isEnded} onSending={onSending} onClose={onClose} />
      {history.data && history.data.replacement.length > 0 && <History rows={history.data.replacement} />}
    </>
  )
}

/** Asks again a while after each reply, also after a failed one. */
function usePolling(isDue: boolean, refetch: () => void): void {
  useEffect(() => {
    if (!isDue) return undefined
    const timer = setTimeout(refetch, pollMs)
    return () => clearTimeout(timer)
  }, [isDue, refetch])
}

function isWaiting({ status }: Replacement): boolean {
  return status === ReplacementStatus.InReview || status === ReplacementStatus.Converting
}

interface ExplanationProps {
  isReviewed: boolean
  isUnreadable: boolean
  last: Replacement | undefined
}

function Explanation({ isReviewed, isUnreadable, last }: ExplanationProps) {
  const isRefused = last?.status === ReplacementStatus.Failed || last?.status === ReplacementStatus.Rejected
  return (
    <>
      {isRefused && (
        <div className="mt-4">
          <Notice tone="warning">
            上次的新文件“{last.file.name}”{replacementStatusLabels[last.status]}
            {last.reason && `：${last.reason}`}
          </Notice>
        </div>
      )}
      <ul className="mt-4 list-disc space-y-1.5 pl-5 text-sm text-muted">
        <li>地址、评论、收藏、评分和销量都不变；买过的人下载到的是新文件。</li>
        <li>
          {isUnreadable
            ? '现在的文件无法转换，没有人能打开；新文件转换完成后代替它。'
            : isReviewed
              ? '新文件需要审核：通过并转换完成之前，读者看到的仍是现在的文件。'
              : '新文件转换完成之前，读者看到的仍是现在的文件；转换失败则不替换。'}
        </li>
        <li>页数、封面和正文随新文件改变；标题、简介和价格不变，需要时请另外编辑。</li>
        <li>{isUnreadable ? '不占今天的上传数量，也没有奖励。' : '与上传一样计入今天的上传数量，没有奖励。'}</li>
      </ul>
    </>
  )
}

/** What has become of the latest file. */
function Standing({ replacement, onWithdrawn }: { replacement: Replacement; onWithdrawn: () => void }) {
  const { id, file, status, reason } = replacement
  const withdraw = async () => {
    try {
      await api(replacements.withdraw, { id })
      toast('已撤回，文档仍使用现在的文件')
    } catch (error) {
      toast(errorMessage(error, '没有撤回，请稍后重试'), 'danger')
    }
    onWithdrawn()
  }
  const isRefused = status === ReplacementStatus.Failed || status === ReplacementStatus.Rejected
  return (
    <div className="mt-4 space-y-3">
      <Notice tone={isRefused ? 'danger' : 'info'}>
        <output className="block">
          {standings[status](file.name)}
          {reason && `：${reason}`}
        </output>
      </Notice>
      {status === ReplacementStatus.Converting && <UploadProgressBar label="新文件的转换" />}
      {isWaiting(replacement) && (
        <Button size="sm" onClick={() => void withdraw()}>
          撤回新文件
        </Button>
      )}
    </div>
  )
}

const standings: Record<ReplacementStatus, (name: string) => string> = {
  [ReplacementStatus.InReview]: (name) => `新文件“${name}”等待审核，通过之前读者看到的仍是现在的文件`,
  [ReplacementStatus.Converting]: (name) => `新文件“${name}”正在转换，完成后代替现在的文件`,
  [ReplacementStatus.Published]: (name) => `已换成“${name}”`,
  [ReplacementStatus.Failed]: (name) => `“${name}”无法转换，文档仍使用原来的文件`,
  [ReplacementStatus.Rejected]: (name) => `“${name}”没有通过审核，文档仍使用原来的文件`,
  [ReplacementStatus.Withdrawn]: (name) => `“${name}”已撤回`,
  [ReplacementStatus.Superseded]: (name) => `“${name}”已换成别的文件`,
}

interface FileToSendProps {
  queue: ReturnType<typeof createReplacementQueue>
  isSubmitted: boolean
  onSending: (isSending: boolean) => void
  onClose: () => void
}

function FileToSend({ queue, isSubmitted, onSending, onClose }: FileToSendProps) {
  const { rows, rejected } = useStore({ subscribe: queue.subscribe, get: queue.state }, queue.state())
  const rules = uploadRules(useSite().settings.security)
  const input = useRef<HTMLInputElement>(null)
  const [row] = rows
  const status = row && describeRow(row)
  const busy = row !== undefined && isBusy(row.state)
  useEffect(() => {
    onSending(busy)
    return () => onSending(false)
  }, [busy, onSending])
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="新文件"
        accept={rules.exts.join(',')}
        onChange={({ target }) => {
          queue.clear()
          queue.add([...(target.files ?? [])], { rules, unfinished: [] })
          target.value = ''
        }}
      />
      {rejected.map(({ id, name, reason }) => (
        <p key={id} role="alert" className="mt-4 text-sm text-danger">
          {name}：{reason}
        </p>
      ))}
      {row && status && !isSubmitted && (
        <div className="mt-4 rounded-md border border-line px-4 py-3 text-sm">
          <p className="font-medium break-all">
            {row.file.name} <span className="font-normal text-muted">{formatSize(row.file.size)}</span>
          </p>
          <output className={row.state === 'failed' ? 'mt-1 block text-danger' : 'mt-1 block text-muted'}>
            {row.state === 'draft' ? '准备好了' : status.text}
          </output>
          {status.progress !== undefined && (
            <div className="mt-2">
              <UploadProgressBar label="新文件的上传" value={status.progress === true ? undefined : status.progress} />
            </div>
          )}
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{isSubmitted ? '完成' : '取消'}</Button>
        {!isSubmitted && (
          <Button disabled={busy} onClick={() => input.current?.click()}>
            <FileUp size={16} aria-hidden />
            {row ? '另选文件' : '选择新文件'}
          </Button>
        )}
        {!isSubmitted && row && (
          <Button variant="primary" busy={busy} onClick={() => queue.start()}>
            {row.state === 'failed' ? '重试' : '替换'}
          </Button>
        )}
      </div>
    </>
  )
}

function History({ rows }: { rows: readonly Replacement[] }) {
  return (
    <details className="mt-5 text-sm">
      <summary className="cursor-pointer text-muted">替换记录（{rows.length}）</summary>
      <ol className="mt-2 space-y-2">
        {rows.map(({ id, created_at, file, former, status, username }) => (
          <li key={id} className="break-all">
            <span className="text-muted tabular-nums">{created_at !== null && formatTime(created_at)}</span>{' '}
            {former ? `${former.name} → ${file.name}` : file.name}
            <span className="text-muted">
              {' '}
              {replacementStatusLabels[status]} · {username}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
