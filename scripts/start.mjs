// `npm start`: brings everything the site needs, then becomes the server.
import { fileURLToPath } from 'node:url'
import { passStopsOn } from './prepare/child.mjs'
import { ensureConverters } from './prepare/converters.mjs'
import { ensureDependencies } from './prepare/dependencies.mjs'
import { continueInProductNode, nodeFlags, productEnv, productNode } from './prepare/node.mjs'
import { at, root } from './prepare/paths.mjs'
import { ensureWebBuild } from './prepare/web-build.mjs'

passStopsOn({ status: 0 })
await ensureDependencies({ dev: false })
await continueInProductNode(fileURLToPath(import.meta.url))
await ensureConverters()
if (!(await ensureWebBuild())) process.exit(1)

// Taking this process's place leaves nothing in between to use memory or to swallow a signal.
// A signal that is already here gets its turn first: it would be lost in the change.
await new Promise(setImmediate)
process.chdir(root)
process.execve(productNode(), ['node', ...nodeFlags, at('src/server/main.ts'), ...process.argv.slice(2)], {
  ...process.env,
  ...productEnv(),
  NODE_ENV: 'production',
})
