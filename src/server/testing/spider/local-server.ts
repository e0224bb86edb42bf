import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface LocalServer {
  origin: string
  /** With its host. */
  address: string
  /** Method and path, in the order of arrival. */
  requests: string[]
  close(): Promise<void>
}

export type Routes = Record<string, string | ((request: IncomingMessage, response: ServerResponse) => unknown)>

/** A web server for one test: a text for each path, or what is to be done; all other paths are missing. */
export async function serveLocally(routes: Routes): Promise<LocalServer> {
  const requests: string[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const route = routes[request.url ?? '']
    if (route === undefined) response.writeHead(404).end('missing')
    else if (typeof route === 'string') response.end(route)
    else route(request, response)
  }
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const close = async () => {
    server.closeAllConnections()
    await new Promise<unknown>((closed) => server.close(closed))
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, address: `127.0.0.1:${port}`, requests, close }
}
