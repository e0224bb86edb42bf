import { App } from 'antd'
import type { CardPrices } from '#shared/price-questions.ts'
import { findPriceQuestions } from '#shared/price-questions.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'

interface SettingText {
  category: string
  name: string
  value: string
}

/** Asks before prices are saved that are seldom meant; true if they are to be saved. */
export function usePriceQuestions(current: readonly SettingText[]) {
  const { settings } = useSite()
  const credit = useCreditName()
  const { modal } = App.useApp()
  const inForce = withTexts({ vip: settings.vip, creditsPerYuan: settings.system.credit_exchange }, current)
  return (changes: readonly SettingText[]): Promise<boolean> => {
    const questions = findPriceQuestions(inForce, withTexts(inForce, changes), credit)
    if (questions.length === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      modal.confirm({
        title: '确认要这样定价吗？',
        content: questions.map((question) => <p key={question}>{question}</p>),
        okText: '确认，保存',
        cancelText: '返回修改',
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      })
    })
  }
}

/** Values that another screen holds stay as they are. */
function withTexts(prices: CardPrices, texts: readonly SettingText[]): CardPrices {
  const vip = Object.fromEntries(
    texts
      .filter(({ category, name }) => category === 'vip' && Object.hasOwn(prices.vip, name))
      .map(({ name, value }) => [name, Number(value)]),
  )
  const rate = texts.find(({ category, name }) => category === 'score' && name === 'credit_exchange')
  return { vip: { ...prices.vip, ...vip }, creditsPerYuan: rate ? Number(rate.value) : prices.creditsPerYuan }
}
