import { downloads } from '#shared/contract/downloads.ts'
import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { Reply } from '#shared/endpoint.ts'
import { OrderType } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import { describeProblem, startDownload } from '#web/features/documents/download/start-download.ts'
import { refreshUser } from '#web/domain/account.ts'
import { takesMoney, takesOtherThanCredits, topUpPath } from '#web/domain/orders.ts'
import { usePriceText } from '#web/domain/prices.ts'
import { useCreateOrder } from '#web/features/orders/use-create-order.ts'
import { api } from '#web/lib/api.ts'
import { loginPath } from '#web/domain/guard-rules.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Terms = Reply<typeof downloads.terms>

export interface DownloadableDocument {
  id: number
  title: string
  ext: string
  size: number
}

interface DownloadDialogProps {
  document: DownloadableDocument
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The price and the member's balance, then the download. */
export function DownloadDialog({ document, open, onOpenChange }: DownloadDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="下载文档"
      description={`${document.title}${document.ext} · ${formatSize(document.size)}`}
    >
      {open && <DownloadOffer id={document.id} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

function DownloadOffer({ id, onDone }: { id: number; onDone: () => void }) {
  const signedIn = isSignedIn(useSession())
  const location = useLocation()
  const { data: terms, error, isLoading, refetch } = useQuery(id, () => api(downloads.terms, { id }))
  const { busy, download } = useDownload(id, onDone, refetch)
  const canPay = takesOtherThanCredits(useSite().settings)
  if (error && !isLoading) return <ErrorState message={describeProblem(error)} retry={refetch} />
  if (!terms || isLoading) {
    return (
      <div className="mt-5">
        <SkeletonRows count={3} />
      </div>
    )
  }
  return (
    <>
      <PriceSummary terms={terms} signedIn={signedIn} />
      {terms.refusal && (
        <div className="mt-4">
          <Notice tone="warning">{terms.refusal}</Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onDone}>取消</Button>
        {signedIn && terms.cost > 0 && <PayOtherwise id={id} terms={terms} onFree={refetch} />}
        {terms.refusal && !signedIn ? (
          <ButtonLink to={loginPath(location)} variant="primary">
            登录后下载
          </ButtonLink>
        ) : terms.reason === creditShort && canPay ? null : (
          <Button
            variant="primary"
            busy={busy}
            disabled={terms.refusal !== ''}
            onClick={() => void download(terms.cost)}
          >
            {terms.cost > 0 ? '支付并下载' : '下载'}
          </Button>
        )}
      </div>
    </>
  )
}

const creditShort = 'documents.creditShort'

/** With money or a code: for a member who lacks credits, or would rather keep them. */
function PayOtherwise({ id, terms: { cost, balance, reason, refusal }, onFree }: PayOtherwiseProps) {
  const { settings } = useSite()
  const { busy, create } = useCreateOrder(onFree)
  const isShort = reason === creditShort
  if (!takesOtherThanCredits(settings) || (refusal && !isShort)) return null
  return (
    <>
      {isShort && takesMoney(settings) && (
        <ButtonLink to={`${topUpPath}?quantity=${cost - balance}`}>去充值</ButtonLink>
      )}
      <Button
        variant={isShort ? 'primary' : 'plain'}
        busy={busy}
        onClick={() => create({ order_type: OrderType.Document, product_id: id })}
      >
        {isShort ? '去支付' : '其他方式支付'}
      </Button>
    </>
  )
}

interface PayOtherwiseProps {
  id: number
  terms: Terms
  /** It costs nothing any more. */
  onFree: () => void
}

function PriceSummary({ terms, signedIn }: { terms: Terms; signedIn: boolean }) {
  const creditName = useCreditName()
  const priceText = usePriceText()
  const rows: [string, ReactNode][] = [['需要支付', costText(terms, { priceText, creditName })]]
  if (!terms.has_card && terms.vip_price < terms.cost)
    rows.push([
      '开通 VIP 后',
      <Link key="vip" to="/joinvip" className="text-accent hover:underline">
        {priceText(terms.vip_price)}，去开通
      </Link>,
    ])
  if (terms.has_card && terms.is_vip && !terms.owned && !terms.bought && terms.vip_left >= 0)
    rows.push(['免费 VIP 文档还剩', `${terms.vip_left} 份`])
  if (signedIn && terms.cost > 0) rows.push([`我的${creditName}`, `${terms.balance} ${creditName}`])
  if (signedIn && terms.cost > 0 && terms.balance >= terms.cost)
    rows.push(['下载后剩余', `${terms.balance - terms.cost} ${creditName}`])
  if (terms.left >= 0 && (signedIn || !terms.refusal)) rows.push(['今天还能下载', `${terms.left} 次`])
  return (
    <dl className="mt-5 divide-y divide-line rounded-md border border-line text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 px-4 py-2.5">
          <dt className="shrink-0 text-muted">{name}</dt>
          <dd className="text-right font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function costText(
  { cost, price, owned, bought }: Terms,
  { priceText, creditName }: { priceText: (price: number) => string; creditName: string },
): string {
  if (cost > 0) return cost < price ? `${priceText(cost)}（VIP 价，原价 ${price} ${creditName}）` : priceText(cost)
  if (owned) return '免费（自己上传的文档）'
  if (bought) return '免费（已经购买）'
  return price > 0 ? `免费（VIP，原价 ${price} ${creditName}）` : '免费'
}

function useDownload(id: number, onDone: () => void, onRefused: () => void) {
  const [busy, setBusy] = useState(false)
  const download = async (cost: number) => {
    setBusy(true)
    try {
      await startDownload({ id, cost })
      onDone()
    } catch (error) {
      toast(describeProblem(error), 'danger')
      onRefused()
    } finally {
      setBusy(false)
      void refreshUser().catch(() => undefined)
    }
  }
  return { busy, download }
}
