/** By what documents are ranked. */
export const rankingOrders = { read: '阅读', download: '下载', favorite: '收藏' } as const
export type RankingOrder = keyof typeof rankingOrders

/** The days of a ranking, today included; 0 for all time. */
export const rankingPeriods = {
  day: { title: '日榜', span: '今天', days: 1 },
  week: { title: '周榜', span: '近 7 天', days: 7 },
  month: { title: '月榜', span: '近 30 天', days: 30 },
  all: { title: '总榜', span: '全部时间', days: 0 },
} as const
export type RankingPeriod = keyof typeof rankingPeriods

export const rankingOrderNames = Object.keys(rankingOrders) as [RankingOrder, ...RankingOrder[]]
export const rankingPeriodNames = Object.keys(rankingPeriods) as [RankingPeriod, ...RankingPeriod[]]
