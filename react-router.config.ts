import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  // One immutable manifest file instead of a question to the server after each page.
  routeDiscovery: { mode: 'initial' },
  // Page scripts then have one way in, and one place where a failed one is noticed (vite.config.ts).
  splitRouteModules: false,
} satisfies Config
