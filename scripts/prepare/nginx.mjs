import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { findExecutable } from './executables.mjs'
import { at } from './paths.mjs'

const folder = at('node_modules/.cache/nginx')
const unpacked = join(folder, 'usr/sbin/nginx')

/** Debian's nginx for the test of its configuration. Unpacked, not installed: that would start a server. */
export async function ensureNginx() {
  const existing = [findExecutable('nginx'), '/usr/sbin/nginx', unpacked].find((path) => path && existsSync(path))
  if (existing) return existing
  mkdirSync(folder, { recursive: true })
  const download = () => runQuietly('apt-get', ['download', 'nginx'], { cwd: folder })
  if ((await download()).status !== 0) {
    await runQuietly('apt-get', ['update'])
    await download()
  }
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb'))
  if (archive) await runQuietly('dpkg', ['-x', archive, '.'], { cwd: folder })
  if (existsSync(unpacked)) return unpacked
  console.log('没有 nginx，不检查 deploy/nginx.conf')
  return undefined
}
