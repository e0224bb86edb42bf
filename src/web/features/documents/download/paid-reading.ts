import type { PublicSettings } from '#shared/contract/settings.ts'
import { isFreeForVip, sellsVip } from '#web/domain/orders.ts'

interface WithheldDocument {
  price: number
  is_vip: boolean
}

/** The words for what payment opens online; empty where nothing is withheld, or where only the download is sold. */
export function paidReadingWords(
  document: WithheldDocument,
  { pages, preview }: { pages: number; preview: number },
  { download, vip }: Pick<PublicSettings, 'download' | 'vip'>,
): string {
  if (!download.enable_paid_reading || preview >= pages) return ''
  const ways = [
    document.price > 0 && '购买',
    isFreeForVip(document, { vip }) && sellsVip({ vip }) && '开通 VIP ',
  ].filter((way) => way !== false)
  return ways.length > 0 ? `${ways.join('或')}后可在线阅读全文` : ''
}
