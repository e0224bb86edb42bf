import { lstatSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { Unconvertible } from '../converter.ts'
import { findProgram } from './executables.ts'

/** bubblewrap hides files, processes and the network; unshare processes and the network; none is plain limits. */
export type Walls = 'bubblewrap' | 'unshare' | 'none'

export interface Enclosed {
  /** With all links followed. */
  program: string
  env: Record<string, string>
  /** What the program sees of other files, and where. */
  mounts: { at: string; path: string; writable: boolean }[]
  /** Seen where it lies. A program that comes with its code is ours, and keeps our name without our rights. */
  code: readonly string[]
  scratchBytes: number
}

/**
 * Root gives its rights up inside the walls: limits on processes do not hold for root. They count all processes of a user,
 * so this is not the one that other services run as either.
 */
export const sandboxUser = isRoot() ? 64_000 + (process.pid % 1000) : undefined

/** The words to put before a command line, so that it runs behind the walls. Throws where a program is missing. */
export const enclose: Record<Walls, (given: Enclosed) => string[]> = {
  bubblewrap: (given) => [
    needed('bwrap'),
    ...(sandboxUser ? apart : ['--unshare-all']),
    ...(sandboxUser && !isOurs(given) ? mayBecomeUser : []),
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    '--hostname',
    'sandbox',
    ...Object.entries(given.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--perms',
    '1777',
    '--size',
    String(given.scratchBytes),
    '--tmpfs',
    '/tmp',
    ...['/etc', '/var', '/var/lib', '/var/spool', '/var/cache', '/job'].flatMap(openFolder),
    ...systemFolders(given.program),
    ...given.code.flatMap((path) => [...parentsOf(path).flatMap(openFolder), '--ro-bind', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...given.mounts.flatMap(({ at, path, writable }) => [writable ? '--bind' : '--ro-bind', path, at]),
    '--',
    ...(sandboxUser && !isOurs(given) ? becomeUser(sandboxUser) : []),
  ],
  unshare: () => [
    needed('unshare'),
    ...(isRoot() ? [] : ['--user', '--map-root-user']),
    '--net',
    '--ipc',
    '--uts',
    '--pid',
    '--fork',
    '--kill-child=KILL',
    '--mount-proc',
    // The first process of a namespace does not die of its own signals: that one is a shell, which tells of them.
    '/bin/sh',
    '-c',
    '"$@"; exit $?',
    'sh',
  ],
  none: () => [],
}

function isOurs({ code }: Enclosed): boolean {
  return code.length > 0
}

const apart = [
  '--unshare-net',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
]
const mayBecomeUser = ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP']

function becomeUser(id: number): string[] {
  return [
    needed('setpriv'),
    `--reuid=${id}`,
    `--regid=${id}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--no-new-privs',
  ]
}

/** Programs, libraries, fonts; nothing that belongs to the site or to people. */
function systemFolders(program: string): string[] {
  const roots = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap((path) => {
    const link = linkOf(path)
    return link ? ['--symlink', link, path] : ['--ro-bind-try', path, path]
  })
  const settings = [
    '/etc/alternatives',
    '/etc/fonts',
    '/etc/ld.so.cache',
    '/etc/libreoffice',
    '/var/lib/libreoffice',
    '/var/spool/libreoffice',
    '/var/cache/fontconfig',
  ].flatMap((path) => ['--ro-bind-try', path, path])
  return ['--ro-bind', '/usr', '/usr', ...roots, ...settings, ...folderOf(program)]
}

/** Programs that were not installed by the system have a folder of their own, with `bin` or the like in it. */
function folderOf(program: string): string[] {
  const home = dirname(dirname(program))
  if (/^\/(usr|bin|sbin|lib\w*)(\/|$)/.test(program) || home === '/') return []
  return [...parentsOf(home).flatMap(openFolder), '--ro-bind', home, home]
}

function parentsOf(path: string): string[] {
  const above = path.split('/').slice(1, -1)
  return above.map((_, index) => `/${above.slice(0, index + 1).join('/')}`)
}

/** What is made on the way to a mount is closed to others unless it is said. */
function openFolder(path: string): string[] {
  return ['--perms', '0755', '--dir', path]
}

function linkOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}

function needed(name: string): string {
  const path = findProgram(name)
  if (!path) throw new Unconvertible('noSandbox', `${name} is not installed`)
  return path
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
