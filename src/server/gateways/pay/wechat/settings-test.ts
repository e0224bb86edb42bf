import { PayProviderError, type PayEnvironment } from '../pay-provider.ts'
import type { WeChatClient } from './client.ts'
import type { Credentials } from './credentials.ts'
import { closeTransaction, createTransaction, isRefusal, transactionTarget } from './transactions.ts'

interface Parts {
  client: WeChatClient
  credentials: Credentials
  environment: PayEnvironment
}

/** Finds wrong settings in the order in which WeChat would: the message tells the owner what to mend. */
export async function testSettings(parts: Parts): Promise<void> {
  const { client, credentials } = parts
  const attemptNo = `TEST${parts.environment.nonce()}`.slice(0, 32)
  if (credentials.publicKey) await probeSignatures(parts, attemptNo)
  if (credentials.usesCertificates) await downloadCertificates(client)
  else await tryApiKey(client)
  await beginAndClose(parts, attemptNo)
}

/** A number that does not exist: the right answer is that it does not. */
async function probeSignatures({ client, credentials }: Parts, attemptNo: string): Promise<void> {
  try {
    await client.probe(transactionTarget(credentials.merchant, attemptNo))
  } catch (error) {
    if (isRefusal(error, 'ORDERNOTEXIST')) return
    if (!isRefusal(error, 'INVALIDREQUEST') || !(error instanceof PayProviderError)) throw error
    throw new PayProviderError(error.code, `微信支付：微信支付公钥 ID 不对。${error.message}`)
  }
}

async function downloadCertificates({ keys }: WeChatClient): Promise<void> {
  try {
    await keys.refresh()
  } catch (error) {
    if (!isRefusal(error, 'RESOURCENOTEXISTS') && !isRefusal(error, 'NOAUTH')) throw error
    throw new PayProviderError('not-configured', '微信支付：这个商户号没有平台证书，验签方式请选“微信支付公钥”')
  }
}

/** Only merchants that still have platform certificates get something to decrypt; the key of others shows with a notice. */
async function tryApiKey(client: WeChatClient): Promise<void> {
  try {
    await client.downloadCertificates()
  } catch (error) {
    if (isRefusal(error, 'not-configured')) throw error
  }
}

/** Whether the product is signed up for, and the app bound to the merchant, shows only when a payment begins. */
async function beginAndClose({ client, credentials, environment }: Parts, attemptNo: string): Promise<void> {
  const { merchant, appId } = credentials
  await createTransaction(
    { client, credentials, environment, miniProgramAppId: '' },
    {
      attemptNo,
      fen: 1,
      title: '设置检查，无需付款',
      expiresAt: environment.now() + 5 * 60_000,
      notifyUrl: 'https://example.com/',
      returnUrl: 'https://example.com/',
      client: 'desktop',
      ip: '127.0.0.1',
    },
  )
  // No buyer has seen its code, and it expires by itself.
  await closeTransaction(client, { merchant, appIds: [appId] }, attemptNo).catch(() => undefined)
}
