/** The words for what a document costs a member: the same wherever a document is offered. */

export interface OfferFacts {
  price: number
  /** What this member would pay now. */
  cost: number
  owned: boolean
  bought: boolean
}

type PriceText = (price: number) => string

/** On a button with room for a sentence. */
export function downloadWords(facts: OfferFacts, priceText: PriceText): string {
  const { price, cost, owned, bought } = facts
  if (owned) return '下载文档（自己的文档，免费）'
  if (bought) return '已购买，免费下载'
  if (cost === 0 && price > 0) return 'VIP 免费下载'
  return `下载文档（${cost < price ? 'VIP 价 ' : ''}${priceText(cost)}）`
}

/** In a toolbar, where there is no room for money. */
export function toolbarWords({ price, cost, owned, bought }: OfferFacts, creditName: string): string {
  if (owned) return '免费'
  if (bought) return '已购买'
  if (cost === 0) return price > 0 ? 'VIP 免费' : ''
  return `${cost} ${creditName}`
}

/** In place of the price in lists and beside the title. An owner sees what others pay. */
export function priceWords(
  { price, owned, bought }: Pick<OfferFacts, 'price' | 'owned' | 'bought'>,
  priceText: PriceText,
): string {
  if (price === 0) return priceText(price)
  if (owned) return `售价 ${priceText(price)}`
  return bought ? '已购买' : priceText(price)
}

/** What a download costs, in the dialog. */
export function costWords(facts: OfferFacts, { priceText, creditName }: { priceText: PriceText; creditName: string }) {
  const { price, cost, owned, bought } = facts
  if (cost > 0) return cost < price ? `${priceText(cost)}（VIP 价，原价 ${price} ${creditName}）` : priceText(cost)
  if (owned) return '免费（自己的文档）'
  if (bought) return '免费（已购买）'
  return price > 0 ? `免费（VIP，原价 ${price} ${creditName}）` : '免费'
}
