import type { Settings } from '#shared/settings.ts'
import type { PayEnvironment, PayProvider } from '../pay-provider.ts'
import { type AlipayAccount, readAccount } from './account.ts'
import { readTradeBill } from './bill.ts'
import { type AlipayClient, alipayClient } from './client.ts'
import { answerNotice, readNotice } from './notices.ts'
import { queryTradeRefund, refundTrade } from './refunds.ts'
import { testAccount } from './test-account.ts'
import { closeTrade, createTrade, queryTrade } from './trades.ts'

/** Alipay's gateway 2.0. Settings that are wrong are told by the first call. */
export function alipay(settings: Settings['pay'], environment: PayEnvironment): PayProvider {
  const sellerId = settings.alipay_seller_id.trim()
  /** Without a seller in the settings, sellers are not compared. */
  const merchantOf = (appId: string, seller: string) => (sellerId ? `${appId}/${seller}` : appId)
  const merchant = merchantOf(settings.alipay_app_id.trim(), sellerId)

  let connection: { account: AlipayAccount; client: AlipayClient } | undefined
  const connect = () => {
    if (connection) return connection
    const account = readAccount(settings)
    connection = { account, client: alipayClient(account, environment) }
    return connection
  }

  return {
    name: 'alipay',
    merchant,
    create: async (request) => createTrade(connect().client, request, settings.alipay_face_to_face),
    query: async (attemptNo) => queryTrade(connect().client, attemptNo, merchant),
    close: async (attemptNo) => closeTrade(connect().client, attemptNo, merchant),
    refund: async (request) => refundTrade(connect().client, request),
    queryRefund: async (request) => queryTradeRefund(connect().client, request),
    readNotice: async (notice) => readNotice(notice, { publicKey: connect().account.publicKey, merchantOf }),
    answerNotice,
    readBill: async (day) => readTradeBill(connect().client, day),
    test: async () => testAccount(connect().client, environment),
  }
}
