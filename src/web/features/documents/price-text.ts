/** The price in the site's credits. */
export function priceText(price: number, creditName: string): string {
  return price > 0 ? `${price} ${creditName}` : '免费'
}
