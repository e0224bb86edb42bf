import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { runQuietly } from './child.mjs'
import { filesUnder } from './files.mjs'
import { productEnv, productNode } from './node.mjs'
import { at, root } from './paths.mjs'
import { precompress } from './precompress.mjs'

const stamp = at('build/.stamp')
const sources = ['src/web', 'src/shared', 'public', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json']

/** Builds the web part unless its sources are unchanged; false if the build fails. */
export async function ensureWebBuild() {
  const fingerprint = computeFingerprint(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return true

  console.error('正在构建网页…')
  rmSync(stamp, { force: true })
  const { status, output } = await runQuietly(productNode(), [at('node_modules/@react-router/dev/bin.cjs'), 'build'], {
    env: { ...productEnv(), NODE_ENV: 'production' },
  })
  if (status !== 0) {
    console.error(output)
    console.error('网页构建失败，原因见上。')
    return false
  }
  await precompress(at('build/client'))
  writeFileSync(stamp, fingerprint)
  return true
}

function computeFingerprint(paths) {
  const files = paths.map((path) => at(path)).flatMap(listFiles)
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

function listFiles(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return filesUnder(path).filter((file) => !/\.test\.tsx?$/.test(file))
}
