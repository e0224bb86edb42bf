import { useEffect, useEffectEvent } from 'react'
import { Link } from 'react-router'
import { downloadWords, priceWords, toolbarWords } from '#web/features/documents/download/offer-words.ts'
import { useIsBought } from '#web/features/documents/download/purchases.ts'
import { type Terms, useTerms } from '#web/features/documents/download/terms.ts'
import { topUpPath, useTakesMoney } from '#web/domain/orders.ts'
import { usePriceText } from '#web/domain/prices.ts'
import { useCreditName } from '#web/domain/site.ts'
import { useSession } from '#web/lib/session.ts'

/** What only members load: words that depend on who is logged in. */

interface PricedDocument {
  id: number
  price: number
  user_id: number
}

/** On the download buttons. */
export function MemberDownloadLabel({ document, isShort }: { document: PricedDocument; isShort: boolean }) {
  const { id, price, user_id } = document
  const terms = useTerms(id)
  const priceText = usePriceText()
  const creditName = useCreditName()
  const owned = useSession().user.id === user_id
  const facts = terms ?? { price, cost: owned ? 0 : price, owned, bought: false }
  if (!isShort) return downloadWords(facts, priceText)
  const words = toolbarWords(facts, creditName)
  return (
    <>
      <span className={words === '' ? '' : 'max-md:sr-only'}>下载</span>
      {words !== '' && <span>{words}</span>}
    </>
  )
}

/** Shows nothing: once the document is paid for, here or elsewhere, the page is asked for again, with all of its pages. */
export function ReadOnOncePaid({ id, onPaid }: { id: number; onPaid: () => void }) {
  const readsAll = useTerms(id)?.reads_all === true
  const act = useEffectEvent(onPaid)
  useEffect(() => {
    if (readsAll) act()
  }, [readsAll])
  return null
}

/** Below the download button: how to get the credits that are missing. */
export function MemberShortfall({ document }: { document: PricedDocument }) {
  const terms = useTerms(document.id)
  return terms && isShort(terms) ? <Shortfall terms={terms} /> : null
}

export function isShort({ reason }: Terms): boolean {
  return reason === 'documents.creditShort'
}

/** What is missing, and the ways to it that the site has: only those that give something today. */
export function Shortfall({ terms }: { terms: Terms }) {
  const { cost, balance, check_in_reward, upload_reward } = terms
  const creditName = useCreditName()
  const takesMoney = useTakesMoney()
  const missing = cost - balance
  const ways = [
    check_in_reward > 0 && { to: '/me', text: `签到得 ${check_in_reward} ${creditName}` },
    upload_reward > 0 && { to: '/upload', text: `上传一份文档得 ${upload_reward} ${creditName}` },
    takesMoney && { to: `${topUpPath}?quantity=${missing}`, text: `充值 ${missing} ${creditName}` },
  ].filter((way) => way !== false)
  return (
    <p className="text-sm text-muted">
      您有 {balance} {creditName}，还差 {missing} {creditName}
      {ways.length > 0 && '：'}
      {ways.map(({ to, text }, at) => (
        <span key={to}>
          {at > 0 && '、'}
          <Link to={to} className="text-accent hover:underline">
            {text}
          </Link>
        </span>
      ))}
    </p>
  )
}

/** In place of the price in lists and beside the title. */
export function MemberPrice({ document: { uuid, price, user_id } }: { document: ListedDocument }) {
  const bought = useIsBought(uuid)
  const owned = useSession().user.id === user_id
  return priceWords({ price, owned, bought: bought && !owned }, usePriceText())
}

export interface ListedDocument {
  uuid: string
  price: number
  user_id: number
}
