import { VipCard, vipCardLabels } from '#shared/enums.ts'
import type { Site } from '#web/domain/site.ts'

type VipSettings = Site['settings']['vip']

export interface VipOffer {
  card: VipCard
  title: string
  /** In fen. */
  price: number
  /** 0 if there is none above the price. */
  originalPrice: number
  /** What a month of it costs, in fen; 0 for a card of one month. */
  monthlyPrice: number
  benefits: string[]
}

const names = {
  [VipCard.Month]: { name: 'month', length: '一个月', months: 1 },
  [VipCard.Quarter]: { name: 'quarter', length: '三个月', months: 3 },
  [VipCard.Year]: { name: 'year', length: '一年', months: 12 },
} as const

/** The cards that can be bought, the shortest first. */
export function vipOffers(vip: VipSettings, { readsOnline = false } = {}): VipOffer[] {
  const cards = [VipCard.Month, VipCard.Quarter, VipCard.Year] as const
  const sold = cards.filter((card) => vip[`${names[card].name}_price`] > 0)
  return sold.map((card) => {
    const { name, length, months } = names[card]
    const price = vip[`${name}_price`]
    const original = vip[`${name}_original_price`]
    return {
      card,
      title: vipCardLabels[card],
      price,
      originalPrice: original > price ? original : 0,
      monthlyPrice: months > 1 ? Math.ceil(price / months) : 0,
      benefits: [
        `有效期${length}，续费接着往后算`,
        ...describeCard({
          download: vip[`${name}_download`],
          times: vip[`${name}_times_every_day`],
          discount: vip[`${name}_document_discount`],
        }),
        ...(readsOnline ? ['VIP 文档在线阅读全文，不占份数'] : []),
        '不显示广告，名字旁有 VIP 标志',
      ],
    }
  })
}

/** What a card brings. */
export function describeCard(card: { download: number; times: number; discount: number }): string[] {
  const { download, times, discount } = card
  return [
    download === 0 ? 'VIP 文档免费下载，不限份数' : `免费下载 ${download} 份 VIP 文档`,
    times === 0 ? '每天下载不限次数' : `每天可以下载 ${times} 次`,
    ...(discount < 100 ? [discount === 0 ? '其他文档免费' : `其他文档 ${Number((discount / 10).toFixed(1))} 折`] : []),
  ]
}
