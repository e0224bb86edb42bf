// `npm start`: installs everything that the site needs, then becomes the server.
import { fileURLToPath } from 'node:url'
import { forwardSignals } from './prepare/child.mjs'
import { ensureConverters } from './prepare/converters.mjs'
import { ensureDependencies } from './prepare/dependencies.mjs'
import { continueInProductNode, mallocEnv, productEnv, productNode, serverFlags } from './prepare/node.mjs'
import { at, root } from './prepare/paths.mjs'
import { ensureWebBuild } from './prepare/web-build.mjs'

forwardSignals({ status: 0 })
await ensureDependencies({ dev: false })
await continueInProductNode(fileURLToPath(import.meta.url))
await ensureConverters()
if (!(await ensureWebBuild())) process.exit(1)

// execve: no parent process remains that would use memory or swallow signals.
// A pending signal is handled first, as execve would lose it.
await new Promise(setImmediate)
process.chdir(root)
process.execve(productNode(), ['node', ...serverFlags, at('src/server/main.ts'), ...process.argv.slice(2)], {
  ...mallocEnv,
  ...process.env,
  ...productEnv(),
  NODE_ENV: 'production',
})
