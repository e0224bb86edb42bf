import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { run, runQuietly } from './child.mjs'
import { productEnv, productNode } from './node.mjs'
import { at } from './paths.mjs'

/**
 * Installs the packages of package-lock.json.
 * `withOwnNpm` is for machines whose npm has left out native packages because its own Node is too old for them.
 */
export async function npmInstall({ dev, withOwnNpm = false }) {
  const how = ['--loglevel=error', '--no-fund', '--no-audit', ...((await registryAnswers()) ? [] : ['--offline'])]
  // Not `npm ci`: it refuses a lockfile without the packages for other machines, which a mirror may lack.
  const project = ['install', '--no-save', dev ? '--include=dev' : '--omit=dev', ...how]
  if (!withOwnNpm) return npm(['npm', ...project])

  const folder = mkdtempSync(join(tmpdir(), 'wendou-npm-'))
  await npm(['npm', 'install', '--prefix', folder, 'npm@11.19.1', ...how])
  await npm([productNode(), join(folder, 'node_modules/npm/bin/npm-cli.js'), ...project], productEnv())
  rmSync(folder, { recursive: true })
}

/** Without a network npm would retry for minutes, although it could install from its cache. */
async function registryAnswers() {
  const quick = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000']
  const { status, output } = await runQuietly('npm', ['ping', ...quick], { env: { ...machineEnv(), ...cacheEnv() } })
  if (status === 0 || status === 127 || /code E\d{3}\b/.test(output)) return true
  console.error('连不上 npm 源，改从本机缓存安装…')
  return false
}

async function npm([command, ...args], env = machineEnv()) {
  const status = await run(command, args, { stdio: ['ignore', 2, 2], env: { ...env, ...cacheEnv() } })
  if (status === 0) return
  console.error(`依赖安装失败：${reasons[status] ?? '请确认能访问 npm 源，且本目录可写，然后重新运行。'}`)
  process.exit(1)
}

const reasons = {
  127: '找不到 npm，请先安装 npm。',
  137: 'npm 被系统终止，多半是内存不足，请加内存或交换分区。',
}

/** npm must not run with the Node in node_modules, which it may replace. */
function machineEnv() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return { PATH: folders.filter((folder) => !folder.startsWith(at('node_modules'))).join(delimiter) }
}

/** For accounts without a writable home folder. */
function cacheEnv() {
  try {
    accessSync(homedir(), constants.W_OK)
    return {}
  } catch {
    return { npm_config_cache: join(tmpdir(), 'wendou-npm-cache') }
  }
}
