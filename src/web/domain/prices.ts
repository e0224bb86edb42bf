import { yuanHint } from '#shared/prices.ts'
import { useSite, type Site } from '#web/domain/site.ts'

type CreditSettings = Pick<Site['settings']['system'], 'credit_name' | 'credit_exchange' | 'show_exchange'>

/** A price in the site's credits, with what it is in money where the owner wants that shown. */
export function priceText(price: number, { credit_name, credit_exchange, show_exchange }: CreditSettings): string {
  if (price === 0) return '免费'
  return `${price} ${credit_name}${show_exchange ? yuanHint(price, credit_exchange) : ''}`
}

export function usePriceText(): (price: number) => string {
  const { system } = useSite().settings
  return (price) => priceText(price, system)
}
