import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The site behind a proxy that records the paths of all requests. */
export async function recordRequests(origin: string): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    paths.push(url)
    const forwarded = send(new URL(url, origin), { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((listening) => server.listen(0, listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, paths }
}
