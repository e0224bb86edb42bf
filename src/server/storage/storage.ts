import type { Readable } from 'node:stream'

/**
 * Object storage. A key is a relative path of safe characters (`files/ab/cd/<hash>`). Objects are immutable and appear
 * atomically. Bodies are streams: memory does not grow with their size.
 */
export interface Storage {
  /** Stores an object atomically; if `body` fails, nothing is left. */
  put(key: string, body: Readable | Uint8Array): Promise<void>
  /** Moves a local file into the storage; `path` is gone afterwards. */
  moveIn(key: string, path: string): Promise<void>
  /**
   * Undefined if there is no such object. `end` is inclusive, as in a Range header; a range beyond the end of the object is
   * cut, perhaps to nothing. Read the stream or destroy it: until then it holds a file or a connection.
   */
  read(key: string, range?: Range): Promise<Readable | undefined>
  find(key: string): Promise<StoredObject | undefined>
  /** Keys without an object are ignored. */
  remove(keys: readonly string[]): Promise<void>
  /** All objects whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>
  /**
   * The path of a local file, for programs that need one: the stored file itself on disk, else a cached copy, which stays
   * for some minutes. Never write to it. Undefined if there is no such object.
   */
  local(key: string): Promise<string | undefined>
  close(): Promise<void>
}

export interface StoredObject {
  key: string
  size: number
  modifiedAt: number
}

export interface Range {
  start: number
  end: number
}
