import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Notice, PayProvider, RawNotice } from '#server/gateways/pay/pay-provider.ts'

export interface NoticeReceiver {
  /** The notify address for payments and refunds. */
  readonly url: string
  /** What became of each notice, in order: what the provider read, or what it threw. */
  readonly outcomes: readonly (Notice | { thrown: unknown })[]
  close(): Promise<void>
}

/** Stands in for the site's notify address: gives every request to the provider, as raw as it came. */
export async function receiveNotices(provider: PayProvider): Promise<NoticeReceiver> {
  const outcomes: (Notice | { thrown: unknown })[] = []

  const read = async (notice: RawNotice) => {
    try {
      outcomes.push(await provider.readNotice(notice))
      return provider.answerNotice(true)
    } catch (error) {
      outcomes.push({ thrown: error })
      return provider.answerNotice(false)
    }
  }

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(request.headersDistinct)) {
      for (const value of values) headers.append(name, value)
    }
    const [, query = ''] = (request.url ?? '').split('?', 2)
    const answer = await read({ method: request.method ?? '', query, headers, body: await buffer(request) })
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  }

  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/notify`,
    outcomes,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
