import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const pageBytes = 4096

/** Memory in use by a process and all that it started. 0 where the system does not tell. */
export function residentBytes(pid: number): number {
  try {
    const own = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return children.reduce((sum, child) => sum + residentBytes(Number(child)), own)
  } catch {
    return 0
  }
}

/** Bytes that lie in folders and files, links not followed. */
export function writtenBytes(paths: string[]): number {
  return paths.reduce((sum, path) => sum + bytesIn(path), 0)
}

function bytesIn(path: string): number {
  try {
    const entry = lstatSync(path)
    if (!entry.isDirectory()) return Math.min(entry.size, entry.blocks * 512)
    return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), pageBytes)
  } catch {
    return 0
  }
}
