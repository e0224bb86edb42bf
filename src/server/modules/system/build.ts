import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

export interface Build {
  /** The current commit, or empty. */
  hash: string
  /** When the web part was built. */
  build_at: number | null
  /** The place on GitHub or Gitee that it was cloned from, as owner/name, or empty. */
  repository: string
}

export const productRoot = resolve(import.meta.dirname, '../../../..')

let build: Promise<Build> | undefined

export function getBuild(): Promise<Build> {
  return (build ??= readBuild(productRoot))
}

export async function readBuild(root: string): Promise<Build> {
  const git = await findGitFolder(resolve(root, '.git'))
  const [hash, repository, built] = await Promise.all([
    readCommit(git).catch(() => ''),
    readRepository(git).catch(() => ''),
    stat(resolve(root, 'build/server/index.js')).catch(() => undefined),
  ])
  return { hash, repository, build_at: built ? Math.floor(built.mtimeMs) : null }
}

/** A worktree has a file there that names the folder. */
async function findGitFolder(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return /^gitdir: (.+)$/m.exec(text)?.[1] ?? path
}

async function readRepository(git: string): Promise<string> {
  const config = await readFile(resolve(git, 'config'), 'utf8')
  const origin = /^\[remote "origin"\][^[]*?^\s*url = (\S+)/ms.exec(config)?.[1] ?? ''
  return /\b(?:github|gitee)\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(origin)?.[1] ?? ''
}

async function readCommit(git: string): Promise<string> {
  const head = (await readFile(resolve(git, 'HEAD'), 'utf8')).trim()
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1]
  return parseCommit(ref ? await readRef(git, ref) : head)
}

async function readRef(git: string, ref: string): Promise<string> {
  const common = await readFile(resolve(git, 'commondir'), 'utf8').catch(() => '.')
  const refs = resolve(git, common.trim())
  const loose = await readFile(resolve(refs, ref), 'utf8').catch(() => '')
  if (loose) return loose.trim()
  const packed = await readFile(resolve(refs, 'packed-refs'), 'utf8')
  return packed.split('\n').find((line) => line.endsWith(` ${ref}`)) ?? ''
}

function parseCommit(text: string): string {
  return /^[\da-f]{40,64}/.exec(text)?.[0] ?? ''
}
