import { closeSync, openSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A connection to an office process that waits for a command line, and has said so. */
export interface Line {
  /** Settles when it says that it is done, or says something else, or nothing any more. */
  send(args: readonly string[]): Promise<void>
  hangUp(): void
}

/**
 * A second start of LibreOffice hands its command line to the first one and goes: through a socket in /tmp, here `folder`.
 * This stands in for the second one. Undefined when nobody answers in time, or not in these words.
 */
export async function callOffice(folder: string, withinMs: number, over?: AbortSignal): Promise<Line | undefined> {
  const until = Date.now() + withinMs
  for (;;) {
    const socket = await answered(folder, until - Date.now())
    if (socket) return lineOn(socket)
    if (over?.aborted || Date.now() + retryMs >= until) return undefined
    await pause(retryMs)
  }
}

const retryMs = 20
const greeting = 'InternalIPC::SendArguments\0'
const done = 'InternalIPC::ProcessingDone\0'

async function answered(folder: string, withinMs: number): Promise<Socket | undefined> {
  const name = namesIn(folder).find((name) => /^OSL_PIPE_.*SingleOfficeIPC_/.test(name))
  if (!name) return undefined
  // The path of a socket has room for 107 bytes; that of a folder has not.
  const opened = openSync(folder, 'r')
  const socket = connect(`/proc/self/fd/${opened}/${name}`)
  const isGreeted = await hears(socket, greeting, withinMs)
  closeSync(opened)
  if (isGreeted) return socket
  socket.destroy()
  return undefined
}

function lineOn(socket: Socket): Line {
  return {
    send: async (args) => {
      const words = ['1file:///', ...args.map((arg) => arg.replaceAll(/[\\,]/g, String.raw`\$&`))]
      const heard = hears(socket, done)
      socket.write(`InternalIPC::Arguments${words.join(',')}\0`)
      await heard
      socket.destroy()
    },
    hangUp: () => socket.destroy(),
  }
}

/** Whether these are the next bytes; no more than so many are read. */
function hears(socket: Socket, words: string, withinMs?: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const clock = withinMs === undefined ? undefined : setTimeout(() => resolve(false), withinMs)
  let heard = ''
  const listen = (chunk: Buffer) => {
    heard += chunk.toString('latin1')
    if (!words.startsWith(heard) || heard === words) resolve(heard === words)
  }
  const end = () => resolve(false)
  socket.on('data', listen).once('close', end).on('error', end)
  return promise.finally(() => {
    clearTimeout(clock)
    socket.off('data', listen).off('close', end)
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
