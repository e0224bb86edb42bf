import { closeSync, openSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A connection to a LibreOffice process that is ready for a command line. */
export interface OfficeConnection {
  /** Settles when the process reports that it is done, answers something else, or closes the connection. */
  send(args: readonly string[]): Promise<void>
  close(): void
}

/**
 * LibreOffice is single-instance: a second start sends its command line to the first process through a Unix socket in
 * /tmp, here `folder`, and exits. This plays the second process. Undefined when the first does not answer in time, or
 * not in this protocol.
 */
export async function connectToOffice(
  folder: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<OfficeConnection | undefined> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const socket = await tryConnect(folder, deadline - Date.now())
    if (socket) return toConnection(socket)
    if (signal?.aborted || Date.now() + retryMs >= deadline) return undefined
    await pause(retryMs)
  }
}

const retryMs = 20
const greeting = 'InternalIPC::SendArguments\0'
const done = 'InternalIPC::ProcessingDone\0'

async function tryConnect(folder: string, timeoutMs: number): Promise<Socket | undefined> {
  const name = listFolder(folder).find((name) => /^OSL_PIPE_.*SingleOfficeIPC_/.test(name))
  if (!name) return undefined
  // The path of a socket is limited to 107 bytes: the folder is addressed by its descriptor.
  const descriptor = openSync(folder, 'r')
  const socket = connect(`/proc/self/fd/${descriptor}/${name}`)
  const isGreeted = await receives(socket, greeting, timeoutMs)
  closeSync(descriptor)
  if (isGreeted) return socket
  socket.destroy()
  return undefined
}

function toConnection(socket: Socket): OfficeConnection {
  return {
    send: async (args) => {
      // The protocol: `1` and the working directory, then the arguments.
      const fields = ['1file:///', ...args.map((arg) => arg.replaceAll(/[\\,]/g, String.raw`\$&`))]
      const isDone = receives(socket, done)
      socket.write(`InternalIPC::Arguments${fields.join(',')}\0`)
      await isDone
      socket.destroy()
    },
    close: () => socket.destroy(),
  }
}

/** Whether the next bytes are this message. */
function receives(socket: Socket, message: string, timeoutMs?: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timeout = timeoutMs === undefined ? undefined : setTimeout(() => resolve(false), timeoutMs)
  let received = ''
  const onData = (chunk: Buffer) => {
    received += chunk.toString('latin1')
    if (!message.startsWith(received) || received === message) resolve(received === message)
  }
  const onEnd = () => resolve(false)
  socket.on('data', onData).once('close', onEnd).on('error', onEnd)
  return promise.finally(() => {
    clearTimeout(timeout)
    socket.off('data', onData).off('close', onEnd)
  })
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
