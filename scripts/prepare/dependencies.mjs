import { existsSync, readFileSync, rmSync } from 'node:fs'
import { npmInstall } from './npm.mjs'
import { at } from './paths.mjs'

// npm writes this at the end of an installation, also of a manual one.
const record = at('node_modules/.package-lock.json')

/** Installs the packages of package-lock.json, unless they are installed. */
export async function ensureDependencies({ dev }) {
  if (missingPackages({ dev }).length === 0) return

  console.error(dev ? '正在安装依赖（含测试所需）…' : '正在安装依赖…')
  // An interrupted installation is discarded; a complete one is only updated, so that a server that runs from this
  // folder is not disturbed.
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

function differs(present, locked) {
  return present.version !== locked.version || present.integrity !== locked.integrity
}

function isNeeded(entry, dev) {
  if (entry.dev && !dev) return false
  if (entry.devOptional ? dev : !entry.optional) return true
  // npm skips optional packages that it cannot fetch, but those for this platform are required.
  return isForThisMachine(entry)
}

function isForThisMachine({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch)) && (!libc || libc.includes('glibc'))
}
