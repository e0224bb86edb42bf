import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { findExecutable } from '../sandbox/executables.ts'

/** `permissions`: Node's permission model alone, where bubblewrap does not work. */
export type RendererIsolation = 'bubblewrap' | 'permissions'

/**
 * Starts a renderer process. With bubblewrap it has no network, sees only the system's programs, its own code and the
 * documents' folders, and cannot write. Otherwise Node's permission model forbids it to write and to start programs.
 */
export function startRenderer(isolation: RendererIsolation, folders: readonly string[] | undefined): ChildProcess {
  const node = realpathSync(process.execPath)
  const wrapper = isolation === 'bubblewrap' ? bubblewrapArgs(node, folders) : []
  const worker = join(import.meta.dirname, 'render.worker.ts')
  const [command, ...args] = [...wrapper, node, ...nodeArgs[isolation], worker]
  return spawn(command, args, {
    // Not the server's environment: it contains secrets.
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/tmp' },
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}

export function hasBubblewrap(): boolean {
  return findExecutable('bwrap') !== undefined
}

const heapArgs = ['--max-old-space-size=384', '--no-warnings']
const nodeArgs: Record<RendererIsolation, string[]> = {
  bubblewrap: heapArgs,
  permissions: [...heapArgs, '--permission', '--allow-fs-read=*', '--allow-addons'],
}

function bubblewrapArgs(node: string, folders: readonly string[] | undefined): string[] {
  // A folder that does not exist cannot be mounted, and would stay invisible when it is created.
  for (const folder of folders ?? []) mkdirSync(folder, { recursive: true })
  const programs = [...systemFolders.filter((path) => existsSync(path)), node, ...ownCode()]
  const visible = folders === undefined ? ['/'] : [...programs, ...folders]
  return [
    findExecutable('bwrap') ?? 'bwrap',
    ...unshareFlags,
    // bubblewrap follows the symlinks of a merged /usr: /lib is mounted as the folder that it points to.
    ...visible.flatMap((path) => ['--ro-bind', path, path]),
    ...deviceFlags,
    '--',
  ]
}

const unshareFlags = [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--hostname',
  'renderer',
]
const deviceFlags = ['--dev', '/dev', '--proc', '/proc', '--remount-ro', '/']
const systemFolders = ['/usr', '/bin', '/lib', '/lib64', '/etc/fonts', '/etc/ld.so.cache', '/etc/alternatives']

/** The renderer's code and the packages; not the project's folder, which may contain the site's data. */
function ownCode(): string[] {
  const packages = dirname(dirname(dirname(createRequire(import.meta.url).resolve('mupdf'))))
  const project = import.meta.dirname.split(`${sep}src${sep}`)[0] ?? ''
  const ownPackages = join(project, 'node_modules')
  return [
    join(project, 'package.json'),
    import.meta.dirname,
    packages,
    ...(existsSync(ownPackages) ? [ownPackages] : []),
  ]
}
