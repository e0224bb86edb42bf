import type { Settings } from '#shared/settings.ts'
import { InvalidNotice, type Notice, type PayEnvironment, type PayProvider, type RawNotice } from '../pay-provider.ts'
import type { Dialect } from './dialect.ts'
import { epayV2 } from './epay-v2.ts'
import { epay } from './epay.ts'
import { xunhupay } from './xunhupay.ts'

const dialects: Partial<Record<string, (settings: Settings['pay'], environment: PayEnvironment) => Dialect>> = {
  epay,
  epay_v2: epayV2,
  xunhupay,
}

/** A gateway of others, in one of three dialects. Its keys are weak, so nothing counts as paid before a query says so. */
export function thirdPartyPay(settings: Settings['pay'], environment: PayEnvironment): PayProvider {
  const dialect = (dialects[settings.third_dialect] ?? epay)(settings, environment)
  return {
    name: 'third',
    merchant: settings.third_merchant_id.trim(),
    hasNoBill: true,
    create: (request) => dialect.create(request),
    query: (attemptNo) => dialect.query(attemptNo),
    close: (attemptNo) => close(dialect, attemptNo),
    refund: (request) => dialect.refund(request),
    queryRefund: (request) => dialect.queryRefund(request),
    readNotice: (notice) => readNotice(dialect, notice),
    answerNotice: (isAccepted) => ({
      status: isAccepted ? 200 : 400,
      type: 'text/plain; charset=utf-8',
      body: isAccepted ? 'success' : 'fail',
    }),
    readBill: () => Promise.resolve(undefined),
    test: () => dialect.test(),
  }
}

/** Where a gateway cannot close, or will not, there is no more to do: what is paid after this is a late payment. */
async function close(dialect: Dialect, attemptNo: string): Promise<'closed' | 'paid'> {
  if (await isPaid(dialect, attemptNo)) return 'paid'
  if (!dialect.close) return 'closed'
  await dialect.close(attemptNo)
  return (await isPaid(dialect, attemptNo)) ? 'paid' : 'closed'
}

async function isPaid(dialect: Dialect, attemptNo: string): Promise<boolean> {
  const { state } = await dialect.query(attemptNo)
  return state === 'paid' || state === 'refunded'
}

async function readNotice(dialect: Dialect, notice: RawNotice): Promise<Notice> {
  const noticed = dialect.verifyNotice(notice)
  if (!noticed) return { kind: 'other' }
  const payment = await dialect.query(noticed.attemptNo)
  if (payment.state === 'closed') return { kind: 'other' }
  if (payment.state !== 'paid' && payment.state !== 'refunded') {
    throw new InvalidNotice(`通知说已支付，查询的结果不是（${payment.state}）`)
  }
  if (payment.fen !== noticed.fen) throw new InvalidNotice('通知里的金额与查询到的不同')
  return { kind: 'payment', payment }
}
