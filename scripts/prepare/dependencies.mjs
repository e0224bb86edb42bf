import { existsSync, readFileSync, rmSync } from 'node:fs'
import { npmInstall } from './npm.mjs'
import { at } from './paths.mjs'

// npm writes this at the end of an install, so one made by hand counts as well.
const record = at('node_modules/.package-lock.json')

/** Installs what package-lock.json asks for, unless it is there. */
export async function ensureDependencies({ dev }) {
  if (missingPackages({ dev }).length === 0) return

  console.error(dev ? '正在安装依赖（含测试所需）…' : '正在安装依赖…')
  // What an interrupted install has left cannot be trusted; on a finished one we only add and replace,
  // so that a server running from this folder goes on.
  if (!existsSync(record)) rmSync(at('node_modules'), { recursive: true, force: true })
  rmSync(record, { force: true })

  await npmInstall({ dev })
  if (missingPackages({ dev }).length > 0) await npmInstall({ dev, withOwnNpm: true })
  const missing = missingPackages({ dev })
  if (missing.length > 0) console.error(`有依赖没有装上，可能影响运行：${missing.join('、')}`)
}

function missingPackages({ dev }) {
  const present = readPackages(record)
  return Object.entries(readPackages(at('package-lock.json')))
    .filter(([path, entry]) => path !== '' && (present[path] ? differs(present[path], entry) : isNeeded(entry, dev)))
    .map(([path]) => path.replace('node_modules/', ''))
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}
}

function differs(present, wanted) {
  return present.version !== wanted.version || present.integrity !== wanted.integrity
}

function isNeeded(entry, dev) {
  if (entry.dev && !dev) return false
  if (entry.devOptional ? dev : !entry.optional) return true
  // npm passes over an optional package that it could not fetch; those made for this machine we cannot do without.
  return isForThisMachine(entry)
}

function isForThisMachine({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch)) && (!libc || libc.includes('glibc'))
}
