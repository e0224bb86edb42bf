import { run, runQuietly } from './child.mjs'
import { hasExecutable } from './executables.mjs'

/** A function that installs Debian packages, or undefined without the rights to do so. */
export async function aptInstaller() {
  if (!hasExecutable('apt-get')) return undefined
  if (isRoot) return (packages) => install([], packages)
  if (!hasExecutable('sudo') || (await run('sudo', ['-n', 'true'], { stdio: 'ignore' })) !== 0) return undefined
  return (packages) => install(['sudo', '-n'], packages)
}

/** The command for installing packages by hand. */
export function aptCommand(packages) {
  return `${isRoot ? '' : 'sudo '}apt-get install -y --no-install-recommends ${packages.join(' ')}`
}

const isRoot = process.getuid?.() === 0

async function install(prefix, packages) {
  await apt(prefix, ['update'])
  const { status, output } = await apt(prefix, ['install', ...packages])
  if (status === 0) return

  console.error(`apt-get 没有成功：${output.match(/^E: .*$/m)?.[0] ?? `退出码 ${status}`}`)
  if (!/Unable to locate|no installation candidate/.test(output)) return
  // A package that this release does not have must not prevent the others.
  for (const name of packages) await apt(prefix, ['install', name])
}

function apt(prefix, args) {
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C']
  const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::http::Timeout=20']
  const [command, ...rest] = [...prefix, 'env', ...settings, 'apt-get', ...options, ...args]
  // An interrupted dpkg leaves a system that has to be repaired by hand.
  return runQuietly(command, rest, { uninterrupted: true })
}
