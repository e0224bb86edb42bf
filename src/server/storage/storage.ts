import type { Readable } from 'node:stream'

/**
 * Where bytes are kept. A key is a relative path of safe characters (`files/ab/cd/<hash>`); what it names never changes
 * once it is there, and it is there wholly or not at all. Streams both ways: memory does not grow with a file.
 */
export interface Storage {
  /** Keeps what `body` brings. Written beside its place and put there when it is whole; if `body` fails, nothing stays. */
  put(key: string, body: Readable | Uint8Array): Promise<void>
  /** Takes over a file of this machine; afterwards it is no longer where it was. */
  take(key: string, path: string): Promise<void>
  /**
   * Undefined when there is no such thing. `end` is the last byte, as in a Range header; a range that goes beyond the
   * end brings what there is, perhaps nothing. Read the stream or destroy it: until then it holds a file or a connection.
   */
  read(key: string, range?: Range): Promise<Readable | undefined>
  find(key: string): Promise<Stored | undefined>
  /** Keys that name nothing are no mistake. */
  remove(keys: readonly string[]): Promise<void>
  /** All things whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<Stored>
  /**
   * The thing as a file of this machine, for programs that need one: the kept file itself on disk, a cached copy
   * elsewhere, which stays for some minutes after it was asked for. Never write to it. Undefined when there is no such thing.
   */
  local(key: string): Promise<string | undefined>
  close(): Promise<void>
}

export interface Stored {
  key: string
  size: number
  changedAt: number
}

export interface Range {
  start: number
  end: number
}
