import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

export interface Build {
  /** The commit that runs, where that is known. */
  hash: string
  /** When the pages were built. */
  build_at: number | null
}

export const productRoot = resolve(import.meta.dirname, '../../../..')

let known: Promise<Build> | undefined

export function buildOf(): Promise<Build> {
  return (known ??= look(productRoot))
}

export async function look(root: string): Promise<Build> {
  const [hash, built] = await Promise.all([
    commitOf(resolve(root, '.git')).catch(() => ''),
    stat(resolve(root, 'build/server/index.js')).catch(() => undefined),
  ])
  return { hash, build_at: built ? Math.floor(built.mtimeMs) : null }
}

async function commitOf(git: string): Promise<string> {
  const head = (await readFile(resolve(git, 'HEAD'), 'utf8')).trim()
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1]
  return commitIn(ref ? await readRef(git, ref) : head)
}

async function readRef(git: string, ref: string): Promise<string> {
  const loose = await readFile(resolve(git, ref), 'utf8').catch(() => '')
  if (loose) return loose.trim()
  const packed = await readFile(resolve(git, 'packed-refs'), 'utf8')
  return packed.split('\n').find((line) => line.endsWith(` ${ref}`)) ?? ''
}

function commitIn(text: string): string {
  return /^[\da-f]{40,64}/.exec(text)?.[0] ?? ''
}
