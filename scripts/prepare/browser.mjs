import { aptCommand, aptInstaller } from './apt.mjs'
import { findExecutable } from './executables.mjs'

const packages = ['chromium', 'fonts-noto-cjk']
const names = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']

/** The browser for the end-to-end tests, installed if necessary; undefined, with a message, if that fails. */
export async function ensureBrowser() {
  const existing = findBrowser()
  if (existing) return existing

  console.log(`正在安装 Chromium：${packages.join(' ')}`)
  const aptInstall = await aptInstaller()
  await aptInstall?.(packages)
  const installed = findBrowser()
  if (!installed) console.log(`缺少 Chromium：请运行 ${aptCommand(packages)}，或用 CHROMIUM_PATH 指明浏览器。`)
  return installed
}

const findBrowser = () => process.env.CHROMIUM_PATH ?? names.map(findExecutable).find(Boolean)
