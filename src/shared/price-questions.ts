import { allCodes } from './codes.ts'
import { VipCard, vipCardLabels } from './enums.ts'
import { creditsToFen, fenToCredits, formatYuan } from './prices.ts'
import type { Settings } from './settings.ts'

/** The questions that an owner is asked before prices are saved that are allowed, but seldom meant. */

const cardNames = { [VipCard.Year]: 'year', [VipCard.Quarter]: 'quarter', [VipCard.Month]: 'month' } as const
type CardName = (typeof cardNames)[VipCard]

/** The settings that prices of cards depend on. */
export interface CardPrices {
  vip: Pick<Settings['vip'], `${CardName}_${'price' | 'original_price' | 'document_discount'}`>
  creditsPerYuan: number
}

/** The factor, up or down, from which a changed price is asked about: the owner may have typed another unit. */
const leap = 10

/** A sentence for each, about what has changed alone. */
export function findPriceQuestions(before: CardPrices, after: CardPrices, creditName: string): string[] {
  return allCodes(VipCard).flatMap((card) => {
    const label = vipCardLabels[card]
    const [old, now] = [priceOf(before, card), priceOf(after, card)]
    const isPriceNew = old.price !== now.price
    const questions = [
      isPriceNew && old.price > 0 && now.price > 0 && isLeap(old.price, now.price)
        ? `${label}价格从 ${formatYuan(old.price)} 元变成 ${formatYuan(now.price)} 元。`
        : '',
      (isPriceNew || old.original !== now.original) && now.original > 0 && now.price > 0 && now.original <= now.price
        ? `${label}原价 ${formatYuan(now.original)} 元不高于价格 ${formatYuan(now.price)} 元：原价不会显示。`
        : '',
      old.discount !== now.discount && now.discount === 0
        ? `${label}的折扣是 0：用这张卡下载付费文档全部免费，作者也没有所得。`
        : '',
      isPriceNew || before.creditsPerYuan !== after.creditsPerYuan
        ? describeRounding(label, now.price, after.creditsPerYuan, creditName)
        : '',
    ]
    return questions.filter((question) => question !== '')
  })
}

/** A sentence for each price in force that is seldom meant, such as one that was set before such prices were asked about. */
export function questionPricesInForce(prices: CardPrices, creditName: string): string[] {
  const isSold = (name: CardName) => prices.vip[`${name}_price`] > 0
  const unset = Object.fromEntries(
    Object.values(cardNames).flatMap((name) => [
      [`${name}_price`, 0],
      [`${name}_original_price`, 0],
      // The discount of a card that nobody can buy is no question.
      ...(isSold(name) ? [[`${name}_document_discount`, Number.NaN]] : []),
    ]),
  )
  return findPriceQuestions(
    { vip: { ...prices.vip, ...unset }, creditsPerYuan: prices.creditsPerYuan },
    prices,
    creditName,
  )
}

function priceOf({ vip }: CardPrices, card: VipCard) {
  const name = cardNames[card]
  return {
    price: vip[`${name}_price`],
    original: vip[`${name}_original_price`],
    discount: vip[`${name}_document_discount`],
  }
}

function isLeap(old: number, now: number): boolean {
  return now >= old * leap || old >= now * leap
}

/** Empty where credits express the price exactly. */
function describeRounding(label: string, fen: number, creditsPerYuan: number, creditName: string): string {
  if (fen === 0 || (fen * creditsPerYuan) % 100 === 0) return ''
  const credits = fenToCredits(fen, creditsPerYuan)
  const worth = formatYuan(creditsToFen(credits, creditsPerYuan))
  return `${label} ${formatYuan(fen)} 元不是整数个${creditName}：用${creditName}支付要 ${credits} ${creditName}，合 ${worth} 元；用钱支付仍是 ${formatYuan(fen)} 元。`
}
