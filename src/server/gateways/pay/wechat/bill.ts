import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { yuanToFen } from '../money.ts'
import { PayProviderError, type BillEntry } from '../pay-provider.ts'
import { parseBeijingTime, startOfBeijingDay } from '../beijing-time.ts'
import type { WeChatClient } from './client.ts'

const BillAnswer = z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() })

/** A bill is complete at ten o'clock of the next day. */
const readyAfterMs = 34 * 3_600_000

/** Undefined while there is no bill yet. */
export async function readDailyBill(
  client: Pick<WeChatClient, 'get' | 'download'>,
  day: string,
  now: number,
): Promise<BillEntry[] | undefined> {
  try {
    const target = `/v3/bill/tradebill?bill_date=${encodeURIComponent(day)}&bill_type=ALL`
    const { hash_value, download_url } = await client.get(target, BillAnswer)
    // Only ever from WeChat's own address, which may be behind the owner's proxy.
    const { pathname, search } = new URL(download_url)
    const file = await client.download(pathname + search)
    if (createHash('sha1').update(file).digest('hex') !== hash_value.toLowerCase()) {
      throw unreadable('账单与它的校验值不符')
    }
    return parseBill(file.toString())
  } catch (error) {
    if (!(error instanceof PayProviderError)) throw error
    const isReady = now >= startOfBeijingDay(day) + readyAfterMs
    if (error.code === 'NOSTATEMENTEXIST') return isReady ? [] : undefined
    const saysNotYet =
      error.code === 'STATEMENTCREATING' || (!isReady && /^(PARAMERROR|INVALIDREQUEST)$/.test(error.code))
    if (saysNotYet) return undefined
    throw error
  }
}

type Row = Record<string, string>

/** A line of headings, a line for each payment and refund with a backtick before each cell, and two lines of totals. */
export function parseBill(text: string): BillEntry[] {
  const [headingLine = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const headings = headingLine.split(',')
  const totals = lines.findIndex((line) => line.startsWith('总交易单数'))
  if (!headings.includes('商户订单号') || totals < 0) throw unreadable('看不懂账单')
  return lines.slice(0, totals).flatMap((line) => toEntry(toRow(headings, line)) ?? [])
}

function toRow(headings: string[], line: string): Row {
  const cells = line.replace(/^`/, '').split(',`')
  // Only the name of what was bought can have such a separator in it.
  const name = headings.indexOf('商品名称')
  const extra = cells.length - headings.length
  if (extra > 0 && name >= 0) cells.splice(name, extra + 1, cells.slice(name, name + extra + 1).join(',`'))
  if (cells.length !== headings.length) throw unreadable('账单有一行不完整')
  return Object.fromEntries(headings.map((heading, index) => [heading, cells[index] ?? '']))
}

function toEntry(row: Row): BillEntry | undefined {
  const isRefund = row['交易状态'] === 'REFUND'
  if (!isRefund && row['交易状态'] !== 'SUCCESS') return undefined
  if (isRefund && row['退款状态'] === 'FAIL') return undefined
  // Not what was settled: coupons lower that.
  const fen = yuanToFen(row[isRefund ? '申请退款金额' : '订单金额'] ?? '')
  const at = parseBeijingTime(row['交易时间'])
  const { 商户订单号: attemptNo = '', 微信订单号: transactionId = '' } = row
  if (fen === undefined || at === null || attemptNo === '') throw unreadable('账单有一行看不懂')
  const refundNo = isRefund ? (row['商户退款单号'] ?? '') : ''
  return { kind: isRefund ? 'refund' : 'payment', attemptNo, transactionId, refundNo, fen, at }
}

function unreadable(complaint: string): PayProviderError {
  return new PayProviderError('bad-answer', `微信支付：${complaint}`, { isTemporary: true })
}
