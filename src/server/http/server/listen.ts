import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'

/**
 * libuv accepts one connection per listener and loop iteration: on a busy site, hundreds of new connections would wait for
 * as many iterations. Several listeners share the port by SO_REUSEPORT.
 */
const listenerCount = 8

/** Gives the actual port. `close` resolves when the last connection of the extra listeners has ended. */
export async function listen(
  server: HttpServer,
  { port, host }: Pick<ListenOptions, 'port' | 'host'>,
): Promise<{ port: number; close: () => Promise<void> }> {
  const actualPort = await reservePort({ port, host })
  const shared = { port: actualPort, host, reusePort: true }
  if (!(await canListen(server, shared))) await startListening(server, { port: actualPort, host })
  const extraListeners: Server[] = []
  for (let count = 1; count < listenerCount; count++) {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    // Where the system cannot share ports, one listener has to do.
    if (!(await canListen(listener, shared))) break
    extraListeners.push(listener)
  }
  const close = async () => {
    await Promise.all(extraListeners.map((listener) => new Promise((done) => listener.close(done))))
  }
  return { port: actualPort, close }
}

/** Gives the actual port, or throws. A shared port reports no conflict with another program, so it is taken exclusively. */
export async function reservePort(address: Pick<ListenOptions, 'port' | 'host'>): Promise<number> {
  const exclusive = createServer()
  await startListening(exclusive, address)
  const { port } = exclusive.address() as AddressInfo
  exclusive.close()
  await once(exclusive, 'close')
  return port
}

async function startListening(server: Server | HttpServer, options: ListenOptions): Promise<void> {
  server.listen(options)
  await once(server, 'listening')
}

async function canListen(server: Server | HttpServer, options: ListenOptions): Promise<boolean> {
  try {
    await startListening(server, options)
    return true
  } catch {
    return false
  }
}
