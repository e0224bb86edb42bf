import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A gateway that answers as it is told, whatever it is asked: text, or JSON, or nothing at all for undefined. */
export async function startAnsweringGateway(
  answer: (path: string) => unknown,
  headers: Record<string, string> = {},
): Promise<{ url: string; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const content = answer(path)
    if (content === undefined) return
    response.writeHead(headers.location ? 302 : 200, headers)
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
