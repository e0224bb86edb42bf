import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'

/** Each brings one new connection at a turn of the event loop: on a busy site newcomers would wait for hundreds of turns. */
const doors = 8

/** Opens a port for a server, and says which one. `shut` ends with the last connection that came in beside the server's own. */
export async function listenOn(
  server: HttpServer,
  { port, host }: Pick<ListenOptions, 'port' | 'host'>,
): Promise<{ port: number; shut: () => Promise<void> }> {
  const free = await freePort({ port, host })
  if (!(await isOpened(server, { port: free, host, reusePort: true }))) await opened(server, { port: free, host })
  const others: Server[] = []
  for (let door = 1; door < doors; door++) {
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    // Where ports cannot be shared, one has to do.
    if (!(await isOpened(other, { port: free, host, reusePort: true }))) break
    others.push(other)
  }
  const shut = async () => {
    await Promise.all(others.map((other) => new Promise((done) => other.close(done))))
  }
  return { port: free, shut }
}

/** Who shares a port is not told that somebody else has it already, so it is taken alone first. */
async function freePort(address: Pick<ListenOptions, 'port' | 'host'>): Promise<number> {
  const alone = createServer()
  await opened(alone, address)
  const { port } = alone.address() as AddressInfo
  alone.close()
  await once(alone, 'close')
  return port
}

async function opened(server: Server | HttpServer, options: ListenOptions): Promise<void> {
  server.listen(options)
  await once(server, 'listening')
}

async function isOpened(server: Server | HttpServer, options: ListenOptions): Promise<boolean> {
  try {
    await opened(server, options)
    return true
  } catch {
    return false
  }
}
