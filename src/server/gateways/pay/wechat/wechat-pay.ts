import type { Settings } from '#shared/settings.ts'
import type { PayEnvironment, PayProvider } from '../pay-provider.ts'
import { readDailyBill } from './bill.ts'
import { openClient, type WeChatClient } from './client.ts'
import { readCredentials, type Credentials } from './credentials.ts'
import { readWeChatNotice } from './notices.ts'
import { queryRefund, requestRefund } from './refunds.ts'
import { testSettings } from './settings-test.ts'
import { closeTransaction, createTransaction, queryTransaction, type Account } from './transactions.ts'
import type { HeldKey } from './verification-keys.ts'

export interface WeChatPay extends PayProvider {
  /** What answers and notices are verified with; platform certificates are there once WeChat has answered. */
  heldKeys(): HeldKey[]
  /** Asks for platform certificates now, where they are used. */
  refreshKeys(): Promise<void>
}

/**
 * WeChat Pay, API v3, for a merchant of its own. Keep it while the settings stay the same: it holds platform
 * certificates. Wrong settings show with the first call, as a `PayProviderError`.
 */
export function wechatPay(
  settings: Settings['pay'],
  environment: PayEnvironment,
  { miniProgramAppId = '' }: { miniProgramAppId?: string } = {},
): WeChatPay {
  let opened: { credentials: Credentials; client: WeChatClient; account: Account } | undefined
  const open = () => {
    if (opened) return opened
    const credentials = readCredentials(settings)
    const { merchant, appId } = credentials
    const appIds = [appId, miniProgramAppId].filter((id) => id !== '')
    opened = { credentials, client: openClient(credentials, environment), account: { merchant, appIds } }
    return opened
  }

  return {
    name: 'wechat',
    merchant: settings.wechat_mch_id.trim(),
    async create(request) {
      const { client, credentials } = open()
      return createTransaction({ client, credentials, environment, miniProgramAppId }, request)
    },
    async query(attemptNo) {
      const { client, account } = open()
      return queryTransaction(client, account, attemptNo)
    },
    async close(attemptNo) {
      const { client, account } = open()
      return closeTransaction(client, account, attemptNo)
    },
    async refund(request) {
      return requestRefund(open().client, request)
    },
    async queryRefund({ refundNo }) {
      return queryRefund(open().client, refundNo)
    },
    async readNotice(notice) {
      const { client, credentials, account } = open()
      return readWeChatNotice({ keys: client.keys, apiKey: credentials.apiKey, account, environment }, notice)
    },
    answerNotice: (isAccepted) => ({
      status: isAccepted ? 200 : 400,
      type: 'application/json',
      body: JSON.stringify(isAccepted ? { code: 'SUCCESS', message: '成功' } : { code: 'FAIL', message: '失败' }),
    }),
    async readBill(day) {
      return readDailyBill(open().client, day, environment.now())
    },
    async test() {
      const { client, credentials } = open()
      await testSettings({ client, credentials, environment })
    },
    heldKeys: () => open().client.keys.held(),
    async refreshKeys() {
      const { client, credentials } = open()
      if (credentials.usesCertificates) await client.keys.refresh()
    },
  }
}
