import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { runLast } from './child.mjs'
import { at } from './paths.mjs'

/** The Node that runs the product: the one from npm, or the current one if npm has none for this platform. */
export function productNode() {
  // Not .bin/node: npm before 11 leaves that link out.
  const pinned = at('node_modules', `node-${process.platform}-${process.arch}`, 'bin/node')
  if (existsSync(pinned)) return pinned
  if (Number.parseInt(process.versions.node) >= 24) return process.execPath

  console.error(`这台机器（${process.platform} ${process.arch}）没有现成的 Node 24，请先自行安装 Node 24 再试。`)
  return process.exit(1)
}

/** Continues the script in the product's Node. */
export async function continueInProductNode(script) {
  const node = productNode()
  if (realpathSync(node) === process.execPath) return
  await runLast(node, [script, ...process.argv.slice(2)], { env: productEnv() })
}

/** The environment of the product's programs: its tools first in PATH, and a compile cache. */
export function productEnv() {
  return {
    PATH: [dirname(productNode()), at('node_modules/.bin'), process.env.PATH].join(delimiter),
    NODE_COMPILE_CACHE: at('node_modules/.cache/compiled'),
  }
}

/**
 * glibc keeps what threads have freed, in an arena for each, and ever larger blocks. With few arenas and fixed thresholds
 * the memory that pictures and pages took goes back to the system.
 */
export const mallocEnv = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

/** node:sqlite prints a warning in Node 24. */
export const nodeFlags = ['--disable-warning=ExperimentalWarning']

/**
 * On a machine with much memory V8 lets the part of the heap for new objects grow beyond 100 MB as soon as a crawl works
 * beside readers. This is at most a third of that, and as fast.
 */
export const serverFlags = [...nodeFlags, '--max-semi-space-size=16']
