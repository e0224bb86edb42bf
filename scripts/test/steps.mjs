import { ensureBrowser } from '../prepare/browser.mjs'
import { run } from '../prepare/child.mjs'
import { ensureNginx } from '../prepare/nginx.mjs'
import { productEnv } from '../prepare/node.mjs'
import { ensureWebBuild } from '../prepare/web-build.mjs'
import { mark } from './leftovers.mjs'
import { runVitest } from './vitest.mjs'

export const steps = [
  check('format', '格式', ['oxfmt', '--check', '.']),
  check('lint', '代码规则', ['oxlint', '--type-aware']),
  check('types', '类型', ['react-router', 'typegen'], ['tsc', '--noEmit']),
  check('deadcode', '无用代码', ['knip']),
  suite('unit', '单元测试'),
  suite('tools', '存储与转换'),
  suite('sqlite', '请求测试，数据库：SQLite'),
  suite('postgres', '请求测试，数据库：PostgreSQL'),
  { name: 'build', title: '构建网页', run: async () => toResult(await ensureWebBuild()) },
  {
    name: 'journeys',
    title: '浏览器流程',
    needs: 'build',
    async run() {
      const browser = await ensureBrowser()
      const nginx = await ensureNginx()
      return browser ? runVitest('journeys', { CHROMIUM_PATH: browser, NGINX_PATH: nginx ?? '' }) : toResult(false)
    },
  },
]

/** A check by commands; it passes if all of them do. */
function check(name, title, ...commands) {
  return {
    name,
    title,
    async run() {
      for (const [command, ...args] of commands) {
        if ((await run(command, args, { env: { ...productEnv(), ...mark } })) !== 0) return toResult(false)
      }
      return toResult(true)
    },
  }
}

/** A project of Vitest; each of its tests counts. */
function suite(name, title) {
  return { name, title, run: () => runVitest(name) }
}

const toResult = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 })
