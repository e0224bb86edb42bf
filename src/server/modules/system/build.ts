import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

export interface Build {
  /** The current commit, or empty. */
  hash: string
  /** When the web part was built. */
  build_at: number | null
}

export const productRoot = resolve(import.meta.dirname, '../../../..')

let build: Promise<Build> | undefined

export function getBuild(): Promise<Build> {
  return (build ??= readBuild(productRoot))
}

export async function readBuild(root: string): Promise<Build> {
  const [hash, built] = await Promise.all([
    readCommit(resolve(root, '.git')).catch(() => ''),
    stat(resolve(root, 'build/server/index.js')).catch(() => undefined),
  ])
  return { hash, build_at: built ? Math.floor(built.mtimeMs) : null }
}

async function readCommit(git: string): Promise<string> {
  const head = (await readFile(resolve(git, 'HEAD'), 'utf8')).trim()
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1]
  return parseCommit(ref ? await readRef(git, ref) : head)
}

async function readRef(git: string, ref: string): Promise<string> {
  const loose = await readFile(resolve(git, ref), 'utf8').catch(() => '')
  if (loose) return loose.trim()
  const packed = await readFile(resolve(git, 'packed-refs'), 'utf8')
  return packed.split('\n').find((line) => line.endsWith(` ${ref}`)) ?? ''
}

function parseCommit(text: string): string {
  return /^[\da-f]{40,64}/.exec(text)?.[0] ?? ''
}
