/** What a document costs, in the site's own coin. */
export function priceText(price: number, creditName: string): string {
  return price > 0 ? `${price} ${creditName || '积分'}` : '免费'
}
