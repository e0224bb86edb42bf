import type { KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { explainConnection } from '../../connection-failure.ts'
import { PayProviderError, type PayEnvironment } from '../pay-provider.ts'
import type { Credentials } from './credentials.ts'
import { badAnswer, parseJson, toRefusal } from './refusals.ts'
import { authorize, isGenuine, isRecent, readSignatureHeaders } from './signature.ts'
import {
  decryptCertificates,
  openVerificationKeys,
  plainSerial,
  type PlatformCertificate,
  type VerificationKeys,
} from './verification-keys.ts'

/** Signed requests, verified answers. */
export interface WeChatClient {
  readonly keys: VerificationKeys
  downloadCertificates(): Promise<PlatformCertificate[]>
  get<T extends z.ZodMiniType>(target: string, answer: T): Promise<z.infer<T>>
  post<T extends z.ZodMiniType>(target: string, body: object, answer: T): Promise<z.infer<T>>
  /** An answer without a body. */
  send(target: string, body: object): Promise<void>
  /** A file, which is not signed. */
  download(target: string): Promise<Buffer>
  /** Asks for something that does not exist. Such a refusal is verified, too, if WeChat has signed it. */
  probe(target: string): Promise<never>
}

interface Answer {
  response: Response
  body: Buffer
}

const defaultTimeoutMs = 10_000
const maxAnswerBytes = 1024 * 1024
const maxFileBytes = 64 * 1024 * 1024

export function openClient(credentials: Credentials, environment: PayEnvironment): WeChatClient {
  const { gateway, publicKey, apiKey } = credentials
  const keys = openVerificationKeys({ credentials, now: () => environment.now(), download: downloadCertificates })

  const exchange = async (method: string, target: string, body = '', maxBytes = maxAnswerBytes): Promise<Answer> => {
    const headers = new Headers({
      accept: 'application/json',
      'user-agent': 'wendou',
      authorization: authorize(credentials, {
        method,
        target,
        body,
        now: environment.now(),
        nonce: environment.nonce(),
      }),
    })
    if (body) headers.set('content-type', 'application/json')
    // Decides which key the answer is signed with.
    if (publicKey) headers.set('wechatpay-serial', publicKey.id)
    try {
      const response = await fetch(`${gateway}${target}`, {
        method,
        headers,
        body: body || null,
        redirect: 'manual',
        signal: AbortSignal.timeout(environment.timeoutMs ?? defaultTimeoutMs),
      })
      return { response, body: await readBytes(response, maxBytes) }
    } catch (error) {
      throw error instanceof PayProviderError ? error : unreachable(error)
    }
  }

  const assertOk = ({ response, body }: Answer) => {
    if (!response.ok) throw toRefusal(response, body.toString(), environment.now())
  }

  type FindKey = (serial: string) => Promise<KeyObject | undefined> | KeyObject | undefined

  const assertGenuine = async ({ response: { headers }, body }: Answer, findKey: FindKey = keys.find) => {
    const signed = readSignatureHeaders(headers)
    if (!signed) throw badAnswer('回答没有签名', headers)
    if (!isRecent(signed, environment.now())) throw badAnswer('回答的时间与服务器的时钟相差太多', headers)
    const key = await findKey(signed.serial)
    if (!key) throw badAnswer(`没有序列号为 ${signed.serial.slice(0, 64)} 的公钥或平台证书，请检查验签方式`, headers)
    if (!isGenuine(signed, body, key)) throw badAnswer('回答的签名不对，请检查微信支付公钥和公钥 ID', headers)
  }

  async function downloadCertificates(): Promise<PlatformCertificate[]> {
    const answer = await exchange('GET', '/v3/certificates')
    assertOk(answer)
    const certificates = decryptCertificates(parseJson(answer.body.toString()), apiKey)
    if (!certificates) throw badAnswer('看不懂平台证书的回答', answer.response.headers)
    // The first answer can be verified only with a certificate that it brings itself.
    const brought = new Map(certificates.map(({ serial, key }) => [serial, key]))
    await assertGenuine(answer, (serial) => brought.get(plainSerial(serial)) ?? keys.findHeld(serial))
    return certificates
  }

  const ask = async <T extends z.ZodMiniType>(method: string, target: string, schema: T, body?: object) => {
    const answer = await exchange(method, target, body && JSON.stringify(body))
    assertOk(answer)
    await assertGenuine(answer)
    const { success, data } = z.safeParse(schema, parseJson(answer.body.toString()))
    if (!success) throw badAnswer('看不懂回答', answer.response.headers)
    return data
  }

  return {
    keys,
    downloadCertificates,
    get: (target, schema) => ask('GET', target, schema),
    post: (target, body, schema) => ask('POST', target, schema, body),
    async send(target, body) {
      const answer = await exchange('POST', target, JSON.stringify(body))
      assertOk(answer)
      await assertGenuine(answer)
      if (answer.body.length > 0) throw badAnswer('看不懂回答', answer.response.headers)
    },
    async download(target) {
      const answer = await exchange('GET', target, '', maxFileBytes)
      assertOk(answer)
      return answer.body
    },
    async probe(target) {
      const answer = await exchange('GET', target)
      const { status, headers } = answer.response
      if (status === 404 && readSignatureHeaders(headers)) await assertGenuine(answer)
      assertOk(answer)
      throw badAnswer('看不懂回答', headers)
    },
  }
}

async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw badAnswer('回答过长', response.headers)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function unreachable(cause: unknown): PayProviderError {
  return new PayProviderError('unreachable', explainConnection('微信支付', cause), { isTemporary: true, cause })
}
