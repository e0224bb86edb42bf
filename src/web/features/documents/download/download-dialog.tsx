import { downloads } from '#shared/contract/downloads.ts'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { OrderType } from '#shared/enums.ts'
import { formatSize } from '#shared/format.ts'
import { isShort, Shortfall } from '#web/features/documents/download/member-words.tsx'
import { costWords } from '#web/features/documents/download/offer-words.ts'
import { refreshPurchases } from '#web/features/documents/download/purchases.ts'
import { describeProblem, startDownload } from '#web/features/documents/download/start-download.ts'
import { keepTerms, loadTerms, type Terms } from '#web/features/documents/download/terms.ts'
import { refreshUser } from '#web/domain/account.ts'
import { topUpPath, useTakesMoney, useTakesOtherThanCredits } from '#web/domain/orders.ts'
import { usePriceText } from '#web/domain/prices.ts'
import { useCreateOrder } from '#web/features/orders/use-create-order.ts'
import { api } from '#web/lib/api.ts'
import { useLoginLink } from '#web/domain/login-link.ts'
import { useCreditName } from '#web/domain/site.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

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
      {open && <DownloadOffer document={document} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

function DownloadOffer({ document, onDone }: { document: DownloadableDocument; onDone: () => void }) {
  const { id, title } = document
  const signedIn = isSignedIn(useSession())
  const login = useLoginLink({ asked: 'download', id, why: `登录后即可下载《${title}》` })
  const { data: terms, error, isLoading, refetch } = useQuery(id, () => askForTerms(id))
  const { busy, download } = useDownload(id, onDone, refetch)
  const canPay = useTakesOtherThanCredits()
  if (error && !isLoading) return <ErrorState message={describeProblem(error)} retry={refetch} />
  if (!terms || isLoading) {
    return (
      <div className="mt-5">
        <SkeletonRows count={3} />
      </div>
    )
  }
  const needsLogin = !signedIn && loginReasons.has(terms.reason)
  return (
    <>
      <PriceSummary terms={terms} signedIn={signedIn} />
      {terms.refusal && (
        <div className="mt-4">
          <Notice tone="warning">
            {needsLogin ? `登录后即可下载《${title}》` : isShort(terms) ? <Shortfall terms={terms} /> : terms.refusal}
          </Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onDone}>取消</Button>
        {signedIn && terms.cost > 0 && <PayOtherwise id={id} terms={terms} onFree={refetch} />}
        {needsLogin ? (
          <ButtonLink {...login} variant="primary">
            登录后下载
          </ButtonLink>
        ) : isShort(terms) && canPay ? null : (
          <Button
            variant="primary"
            busy={busy}
            disabled={terms.refusal !== ''}
            onClick={() => void download(terms.cost)}
          >
            {terms.cost > 0 ? '支付并下载' : terms.bought ? '免费下载' : '下载'}
          </Button>
        )}
      </div>
    </>
  )
}

/** Refusals that a login ends; a used-up link, for one, stays used up. */
const loginReasons = new Set(['access.loginNeeded', 'documents.guestPays'])

/** The buttons on the page tell the same from now on. */
async function askForTerms(id: number): Promise<Terms> {
  const terms = await api(downloads.terms, { id })
  keepTerms(id, terms)
  return terms
}

/** With money or a code: for a member who lacks credits, or would rather keep them. */
function PayOtherwise({ id, terms, onFree }: PayOtherwiseProps) {
  const { cost, balance, refusal } = terms
  const [takesMoney, canPay] = [useTakesMoney(), useTakesOtherThanCredits()]
  const { busy, create } = useCreateOrder(onFree)
  const lacksCredits = isShort(terms)
  if (!canPay || (refusal && !lacksCredits)) return null
  return (
    <>
      {lacksCredits && takesMoney && <ButtonLink to={`${topUpPath}?quantity=${cost - balance}`}>去充值</ButtonLink>}
      <Button
        variant={lacksCredits ? 'primary' : 'plain'}
        busy={busy}
        onClick={() => create({ order_type: OrderType.Document, product_id: id })}
      >
        {lacksCredits ? '去支付' : '其他方式支付'}
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

interface PriceSummaryProps {
  terms: Terms
  signedIn: boolean
}

function PriceSummary({ terms, signedIn }: PriceSummaryProps) {
  const creditName = useCreditName()
  const priceText = usePriceText()
  const rows: [string, ReactNode][] = [['需要支付', costWords(terms, { priceText, creditName })]]
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
  if (terms.opens_rest && terms.cost > 0) rows.push(['购买后', '可在线阅读全文'])
  if (terms.left >= 0 && (signedIn || !terms.refusal)) rows.push(['今天还能下载', `${terms.left} 次`])
  if (terms.share_left >= 0) {
    const repeats = terms.is_repeat ? '刚才的下载可以重复，不再计次' : `${terms.url_seconds} 秒内重复下载只算一次`
    rows.push(['这个分享链接还能下载', `${terms.share_left} 次，${repeats}`])
  }
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

function useDownload(id: number, onDone: () => void, onRefused: () => void) {
  const [busy, setBusy] = useState(false)
  const download = async (cost: number) => {
    setBusy(true)
    try {
      await startDownload({ id, cost })
      if (cost > 0) {
        void loadTerms(id)
        refreshPurchases()
      }
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
