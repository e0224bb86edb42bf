import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Tool } from './converter.ts'
import { findOffice, findExecutable } from './sandbox/executables.ts'
import { detectIsolation } from './sandbox/sandbox.ts'

/** Which programs and libraries are installed, and what does not work without them. */
export async function findTools(): Promise<Tool[]> {
  return Promise.all([
    describeExecutable({
      name: 'LibreOffice',
      description: '转换 Word、Excel、PPT、WPS 等办公文档与 CSV 表格',
      cmd: 'soffice',
      is_required: true,
      path: findOffice(),
      versionArgs: ['--version'],
      versionPattern: /LibreOffice ([\d.]+)/,
      missingMessage: '未安装：办公文档无法在线预览，安装后会自动继续',
    }),
    describeFonts(),
    describeSandbox(),
    describeExecutable({
      name: '7-Zip',
      description: '解开 CHM 电子书',
      cmd: '7z',
      is_required: false,
      path: findExecutable('7z', '7zz', '7za'),
      versionArgs: ['i'],
      versionPattern: /7-Zip (?:\[\d+\] |\([a-z\d]+\) )?([\d.]+)/,
      missingMessage: '未安装：CHM 文档无法在线预览',
    }),
    describeExecutable({
      name: 'Poppler',
      description: '绘制少数含印刷色图片的 PDF 页面',
      cmd: 'pdftocairo',
      is_required: false,
      path: findExecutable('pdftocairo'),
      versionArgs: ['-v'],
      versionPattern: /version ([\d.]+)/,
      missingMessage: '未安装：个别 PDF 页面的颜色可能不准确',
    }),
    describeLibrary('MuPDF', '绘制页面、读取文字，打开 PDF 与电子书', 'mupdf'),
    describeLibrary('sharp', '生成封面与缩略图', 'sharp'),
  ])
}

interface Executable extends Pick<Tool, 'name' | 'description' | 'cmd' | 'is_required'> {
  path: string | undefined
  versionArgs: string[]
  versionPattern: RegExp
  missingMessage: string
}

async function describeExecutable(executable: Executable): Promise<Tool> {
  const { path, versionArgs, versionPattern, missingMessage, ...tool } = executable
  if (!path) return { ...tool, is_installed: false, version: '', error: missingMessage }
  const output = await runForOutput(path, versionArgs)
  return { ...tool, is_installed: true, version: versionPattern.exec(output)?.[1] ?? '', error: '' }
}

async function describeFonts(): Promise<Tool> {
  const tool = {
    name: '中文字体',
    description: '显示文档中的汉字，建议安装 Noto CJK',
    cmd: 'fc-list',
    is_required: true,
  }
  const path = findExecutable('fc-list')
  const families = path ? (await runForOutput(path, [':lang=zh-cn', 'family'])).split('\n').filter(Boolean) : []
  const noto = ['Noto Serif CJK SC', 'Noto Sans CJK SC'].filter((name) => families.some((line) => line.includes(name)))
  if (noto.length === 2) return { ...tool, is_installed: true, version: noto.join('、'), error: '' }
  const error =
    families.length > 0
      ? '缺少 Noto CJK 字体：转换较慢，字形可能不准确'
      : '未安装中文字体：办公文档中的汉字会显示为方框'
  return { ...tool, is_installed: families.length > 0, version: '', error }
}

async function describeSandbox(): Promise<Tool> {
  const tool = { name: '安全隔离', description: '让转换程序碰不到网络与其他文件', cmd: 'bwrap', is_required: true }
  const isolation = await detectIsolation()
  if (isolation === 'none') {
    const error = '没有可用的安全隔离：办公文档与 CHM 的转换已暂停，请安装 bubblewrap 并允许用户命名空间'
    return { ...tool, is_installed: false, version: '', error }
  }
  if (isolation === 'unshare') {
    const error = '未能使用 bubblewrap：转换程序仍碰不到网络，但看得到其他文件'
    return { ...tool, cmd: 'unshare', is_installed: true, version: 'unshare', error }
  }
  const path = findExecutable('bwrap')
  const version = path ? /([\d.]+)/.exec(await runForOutput(path, ['--version']))?.[1] : ''
  return { ...tool, is_installed: true, version: `bubblewrap ${version}`, error: '' }
}

async function describeLibrary(name: string, description: string, id: string): Promise<Tool> {
  const tool = { name, description, cmd: id, is_required: true }
  try {
    return { ...tool, is_installed: true, version: await packageVersion(id), error: '' }
  } catch {
    return { ...tool, is_installed: false, version: '', error: '未安装：请重新运行 npm install' }
  }
}

/** Not every package exports its package.json: it is read from the package's folder. */
async function packageVersion(id: string): Promise<string> {
  const entry = import.meta.resolve(id)
  const path = entry.slice(0, entry.lastIndexOf(`/node_modules/${id}/`)) + `/node_modules/${id}/package.json`
  const parsed: unknown = JSON.parse(await readFile(new URL(path), 'utf8'))
  const version = typeof parsed === 'object' && parsed && 'version' in parsed ? parsed.version : ''
  return String(version)
}

/** Both streams, whatever the exit code: programs print their version to either. */
async function runForOutput(path: string, args: string[]): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(path, args, { timeout: 10_000, maxBuffer: 4e6 })
    return stdout + stderr
  } catch {
    return ''
  }
}
