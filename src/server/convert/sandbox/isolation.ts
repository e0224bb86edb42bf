import { lstatSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { Unconvertible } from '../converter.ts'
import { findExecutable } from './executables.ts'

/**
 * What a child process is isolated with. bubblewrap hides files, processes and the network; unshare hides processes and
 * the network; none leaves the limits on resources alone.
 */
export type Isolation = 'bubblewrap' | 'unshare' | 'none'

export interface SandboxedCommand {
  /** With all symlinks resolved. */
  executable: string
  env: Record<string, string>
  /** The files that the process sees, and where. */
  mounts: { at: string; path: string; writable: boolean }[]
  /**
   * Files of our own code, mounted at their own paths. A process that runs our code keeps our user id, without
   * capabilities.
   */
  code: readonly string[]
  scratchBytes: number
}

/**
 * A process started by root becomes this user, since RLIMIT_NPROC does not hold for root. The limit counts all processes
 * of a user: an id of its own keeps other services out of the count.
 */
export const sandboxUser = isRoot() ? 64_000 + (process.pid % 1000) : undefined

/** The arguments to put before a command line, so that it runs isolated. Throws where a program is missing. */
export const wrapCommand: Record<Isolation, (command: SandboxedCommand) => string[]> = {
  bubblewrap: (command) => [
    requireExecutable('bwrap'),
    ...(sandboxUser ? unshareFlags : ['--unshare-all']),
    ...(sandboxUser && !isOwnCode(command) ? setuidCapabilities : []),
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    '--hostname',
    'sandbox',
    ...Object.entries(command.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--perms',
    '1777',
    '--size',
    String(command.scratchBytes),
    '--tmpfs',
    '/tmp',
    ...['/etc', '/var', '/var/lib', '/var/spool', '/var/cache', '/job'].flatMap(readableFolder),
    ...systemFolders(command.executable),
    ...command.code.flatMap((path) => [...parentsOf(path).flatMap(readableFolder), '--ro-bind', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...command.mounts.flatMap(({ at, path, writable }) => [writable ? '--bind' : '--ro-bind', path, at]),
    '--',
    ...(sandboxUser && !isOwnCode(command) ? dropToUser(sandboxUser) : []),
  ],
  unshare: () => [
    requireExecutable('unshare'),
    ...(isRoot() ? [] : ['--user', '--map-root-user']),
    '--net',
    '--ipc',
    '--uts',
    '--pid',
    '--fork',
    '--kill-child=KILL',
    '--mount-proc',
    // PID 1 of a namespace ignores signals it has no handler for: a shell takes that place and reports the exit code.
    '/bin/sh',
    '-c',
    '"$@"; exit $?',
    'sh',
  ],
  none: () => [],
}

function isOwnCode({ code }: SandboxedCommand): boolean {
  return code.length > 0
}

const unshareFlags = [
  '--unshare-net',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
]
const setuidCapabilities = ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP']

function dropToUser(id: number): string[] {
  return [
    requireExecutable('setpriv'),
    `--reuid=${id}`,
    `--regid=${id}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--no-new-privs',
  ]
}

/** Programs, libraries and fonts; no data of the site, no home folders. */
function systemFolders(executable: string): string[] {
  const roots = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap((path) => {
    const link = readLink(path)
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
  return ['--ro-bind', '/usr', '/usr', ...roots, ...settings, ...installFolder(executable)]
}

/** A program outside of the system's folders lies in `bin` or the like of a folder of its own. */
function installFolder(executable: string): string[] {
  const home = dirname(dirname(executable))
  if (/^\/(usr|bin|sbin|lib\w*)(\/|$)/.test(executable) || home === '/') return []
  return [...parentsOf(home).flatMap(readableFolder), '--ro-bind', home, home]
}

function parentsOf(path: string): string[] {
  const above = path.split('/').slice(1, -1)
  return above.map((_, index) => `/${above.slice(0, index + 1).join('/')}`)
}

/** Parent folders of a mount are created with mode 0700 unless they are created first. */
function readableFolder(path: string): string[] {
  return ['--perms', '0755', '--dir', path]
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}

function requireExecutable(name: string): string {
  const path = findExecutable(name)
  if (!path) throw new Unconvertible('noSandbox', `${name} is not installed`)
  return path
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
