import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const pageBytes = 4096

/** Resident memory of a process and its descendants; 0 without procfs. */
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

/** Bytes in files and folders; symlinks are not followed. */
export function diskUsage(paths: string[]): number {
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
