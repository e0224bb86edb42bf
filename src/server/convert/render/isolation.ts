import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { findProgram } from '../sandbox/executables.ts'

/**
 * Starts a renderer. Behind bubblewrap it has no network, sees nothing but the system's programs, its own code and the
 * documents' folders, and writes nowhere. Plainly, Node itself keeps it from writing and from starting programs.
 */
export function startRenderer(walls: 'bubblewrap' | 'plain', folders: readonly string[] | undefined): ChildProcess {
  const node = realpathSync(process.execPath)
  const program = [...nodeOptions[walls], join(import.meta.dirname, 'render.worker.ts')]
  const words = walls === 'plain' ? [] : bubblewrap(node, folders)
  const [command = node, ...args] = [...words, node, ...program]
  return spawn(command, args, {
    // Nothing of the server's own environment: it holds its secrets.
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/tmp' },
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}

export function hasBubblewrap(): boolean {
  return findProgram('bwrap') !== undefined
}

const heap = ['--max-old-space-size=384', '--no-warnings']
const nodeOptions = {
  bubblewrap: heap,
  plain: [...heap, '--permission', '--allow-fs-read=*', '--allow-addons'],
}

function bubblewrap(node: string, folders: readonly string[] | undefined): string[] {
  // What is not there yet cannot be bound, and would not be seen when it comes.
  for (const folder of folders ?? []) mkdirSync(folder, { recursive: true })
  const parts = [...system.filter((path) => existsSync(path)), node, ...ownCode()]
  const seen = folders === undefined ? ['/'] : [...parts, ...folders]
  return [
    findProgram('bwrap') ?? 'bwrap',
    ...apart,
    // Links of a merged /usr are followed: /lib is bound as the folder it leads to.
    ...seen.flatMap((path) => ['--ro-bind', path, path]),
    ...ownDevices,
    '--',
  ]
}

const apart = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'renderer']
const ownDevices = ['--dev', '/dev', '--proc', '/proc', '--remount-ro', '/']
const system = ['/usr', '/bin', '/lib', '/lib64', '/etc/fonts', '/etc/ld.so.cache', '/etc/alternatives']

/** The renderer's own files and the packages; not the project's folder, in which the site's data may lie. */
function ownCode(): string[] {
  const packages = dirname(dirname(dirname(createRequire(import.meta.url).resolve('mupdf'))))
  const project = import.meta.dirname.split(`${sep}src${sep}`)[0] ?? ''
  const linked = join(project, 'node_modules')
  return [join(project, 'package.json'), import.meta.dirname, packages, ...(existsSync(linked) ? [linked] : [])]
}
