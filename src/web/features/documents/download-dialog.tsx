import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Reply } from '#shared/endpoint.ts'
import { documents } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import { refreshUser } from '#web/lib/account.ts'
import { api } from '#web/lib/api.ts'
import { loginFor } from '#web/lib/guards.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/site.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'

type Terms = Reply<typeof documents.terms>

interface DownloadDialogProps {
  document: { id: number; title: string; ext: string; size: number }
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** What the file costs and what one has; then the file. */
export function DownloadDialog({ document, open, onOpenChange }: DownloadDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="下载文档"
      description={`${document.title}${document.ext} · ${formatSize(document.size)}`}
    >
      {open && <Offer id={document.id} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

function Offer({ id, onDone }: { id: number; onDone: () => void }) {
  const signedIn = isSignedIn(useSession())
  const location = useLocation()
  const { terms, problem, ask } = useTerms(id)
  const { busy, download } = useDownload(id, onDone, ask)
  if (problem) return <ErrorState message={problem} retry={ask} />
  if (!terms) {
    return (
      <div className="mt-5">
        <SkeletonRows count={3} />
      </div>
    )
  }
  return (
    <>
      <Sums terms={terms} signedIn={signedIn} />
      {terms.refusal && (
        <div className="mt-4">
          <Notice tone="warning">{terms.refusal}</Notice>
        </div>
      )}
      <div className="mt-6 flex justify-end gap-3">
        <Button onClick={onDone}>取消</Button>
        {terms.refusal && !signedIn ? (
          <ButtonLink to={loginFor(location)} look="primary">
            登录后下载
          </ButtonLink>
        ) : (
          <Button look="primary" busy={busy} disabled={terms.refusal !== ''} onClick={() => void download(terms.cost)}>
            {terms.cost > 0 ? '支付并下载' : '下载'}
          </Button>
        )}
      </div>
    </>
  )
}

function Sums({ terms, signedIn }: { terms: Terms; signedIn: boolean }) {
  const { credit_name } = useSite().settings.system
  const coin = credit_name || '积分'
  const rows: [string, string][] = [['需要支付', costText(terms, coin)]]
  if (signedIn && terms.cost > 0) rows.push([`我的${coin}`, `${terms.balance} ${coin}`])
  if (signedIn && terms.cost > 0 && terms.balance >= terms.cost)
    rows.push(['下载后剩余', `${terms.balance - terms.cost} ${coin}`])
  if (terms.left >= 0 && (signedIn || !terms.refusal)) rows.push(['今天还能下载', `${terms.left} 次`])
  return (
    <dl className="mt-5 divide-y divide-line rounded-md border border-line text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 px-4 py-2.5">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function costText({ cost, price, owned, bought }: Terms, coin: string): string {
  if (cost > 0) return `${cost} ${coin}`
  if (owned) return '免费（自己上传的文档）'
  if (bought) return '免费（已经购买）'
  return price > 0 ? `免费（原价 ${price} ${coin}）` : '免费'
}

function useTerms(id: number) {
  const [state, setState] = useState<{ terms?: Terms; problem?: string }>({})
  const latest = useRef(0)
  const ask = useCallback(async () => {
    const turn = (latest.current += 1)
    const answer = await api(documents.terms, { id }).then(
      (terms) => ({ terms }),
      (error: unknown) => ({ problem: wordsOf(error) }),
    )
    if (turn === latest.current) setState(answer)
  }, [id])
  useEffect(() => {
    void ask()
    return () => {
      latest.current += 1
    }
  }, [ask])
  const again = () => {
    setState({})
    void ask()
  }
  return { ...state, ask: again }
}

function useDownload(id: number, onDone: () => void, onRefused: () => void) {
  const [busy, setBusy] = useState(false)
  /** No more is paid than what was shown. */
  const download = async (cost: number) => {
    setBusy(true)
    try {
      const { url } = await api(documents.download, { id, cost })
      fetchFile(url)
      toast('开始下载')
      onDone()
    } catch (error) {
      toast(wordsOf(error), 'danger')
      onRefused()
    } finally {
      setBusy(false)
      void refreshUser().catch(() => undefined)
    }
  }
  return { busy, download }
}

/** The page stays where it is, whatever the answer. */
function fetchFile(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

function wordsOf(error: unknown): string {
  return error instanceof ApiError ? error.message : '下载没有成功，请稍后重试'
}
