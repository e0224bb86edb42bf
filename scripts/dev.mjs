// `npm run dev`: the server restarts when its code changes, and Vite updates the page in the browser.
import { forwardSignals, run } from './prepare/child.mjs'
import { ensureDependencies } from './prepare/dependencies.mjs'
import { nodeFlags, productEnv, productNode } from './prepare/node.mjs'
import { at } from './prepare/paths.mjs'

const watched = ['src/server', 'src/shared'].map((folder) => `--watch-path=${at(folder)}`)
// Vite serves React Router's development build; the server must load the same one.
const flags = [...nodeFlags, '--conditions=development', ...watched]

forwardSignals({ status: 0 })
await ensureDependencies({ dev: true })
process.exitCode = await run(productNode(), [...flags, at('src/server/main.ts'), ...process.argv.slice(2)], {
  env: { ...productEnv(), NODE_ENV: 'development', WENDOU_DEV: '1' },
})
