// `npm run cli -- <command>`: the owner's commands, with or without a running server.
import { forwardSignals, runLast } from './prepare/child.mjs'
import { ensureDependencies } from './prepare/dependencies.mjs'
import { nodeFlags, productEnv, productNode } from './prepare/node.mjs'
import { at } from './prepare/paths.mjs'

forwardSignals({ status: 130 })
await ensureDependencies({ dev: false })
await runLast(productNode(), [...nodeFlags, at('src/server/cli/main.ts'), ...process.argv.slice(2)], {
  env: productEnv(),
})
