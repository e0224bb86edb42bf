import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least that Node can do: what it was told to say, by address, from memory. */

interface Said {
  path: string
  headers: Record<string, string>
  /** In base64. */
  body: string
}

const pages = new Map<string, { headers: Record<string, string>; body: Buffer }>()
process.on('message', (said: Said) => {
  pages.set(said.path, { headers: said.headers, body: Buffer.from(said.body, 'base64') })
  process.send?.('kept')
})

const server = createServer((request, response) => {
  const page = pages.get(request.url ?? '')
  if (!page) return response.writeHead(404).end()
  return response.writeHead(200, page.headers).end(page.body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
