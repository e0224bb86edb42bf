import * as z from 'zod/mini'
import { type PayEnvironment, PayProviderError } from '../pay-provider.ts'
import type { AlipayClient } from './client.ts'
import { isRefusal, SubCode } from './failures.ts'

const maxClockMinutes = 5

/** Asks for a trade that does not exist: the answer proves the application, both keys and the clock. */
export async function testAccount(client: AlipayClient, { nonce }: PayEnvironment): Promise<void> {
  try {
    await client.call('alipay.trade.query', { out_trade_no: `test${nonce()}` }, z.looseObject({}))
  } catch (error) {
    assertClock(client.clockDifferenceMs())
    if (!isRefusal(error) || error.code !== SubCode.TradeNotExist) throw error
  }
  assertClock(client.clockDifferenceMs())
}

function assertClock(differenceMs: number): void {
  const minutes = Math.round(Math.abs(differenceMs) / 60_000)
  if (minutes < maxClockMinutes) return
  const words = `服务器的时钟比支付宝${differenceMs > 0 ? '快' : '慢'} ${minutes} 分钟，请校准服务器的时间`
  throw new PayProviderError('clock', words)
}
