import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Tool } from './converter.ts'
import { findOffice, findProgram } from './sandbox/executables.ts'
import { findWalls } from './sandbox/sandbox.ts'

/** What is installed, and what is lost without it. */
export async function findTools(): Promise<Tool[]> {
  return Promise.all([
    program({
      name: 'LibreOffice',
      description: '转换 Word、Excel、PPT、WPS 等办公文档与 CSV 表格',
      cmd: 'soffice',
      is_required: true,
      path: findOffice(),
      ask: ['--version'],
      version: /LibreOffice ([\d.]+)/,
      lost: '未安装：办公文档无法在线预览，安装后会自动继续',
    }),
    fonts(),
    sandbox(),
    program({
      name: '7-Zip',
      description: '解开 CHM 电子书',
      cmd: '7z',
      is_required: false,
      path: findProgram('7z', '7zz', '7za'),
      ask: ['i'],
      version: /7-Zip (?:\[\d+\] |\([a-z\d]+\) )?([\d.]+)/,
      lost: '未安装：CHM 文档无法在线预览',
    }),
    program({
      name: 'Poppler',
      description: '绘制少数含印刷色图片的 PDF 页面',
      cmd: 'pdftocairo',
      is_required: false,
      path: findProgram('pdftocairo'),
      ask: ['-v'],
      version: /version ([\d.]+)/,
      lost: '未安装：个别 PDF 页面的颜色可能不准确',
    }),
    library('MuPDF', '绘制页面、读取文字，打开 PDF 与电子书', 'mupdf'),
    library('sharp', '生成封面与缩略图', 'sharp'),
  ])
}

interface Program extends Pick<Tool, 'name' | 'description' | 'cmd' | 'is_required'> {
  path: string | undefined
  ask: string[]
  version: RegExp
  lost: string
}

async function program({ path, ask, version, lost, ...tool }: Program): Promise<Tool> {
  if (!path) return { ...tool, is_installed: false, version: '', error: lost }
  const said = await output(path, ask)
  return { ...tool, is_installed: true, version: version.exec(said)?.[1] ?? '', error: '' }
}

async function fonts(): Promise<Tool> {
  const tool = {
    name: '中文字体',
    description: '显示文档中的汉字，建议安装 Noto CJK',
    cmd: 'fc-list',
    is_required: true,
  }
  const path = findProgram('fc-list')
  const families = path ? (await output(path, [':lang=zh-cn', 'family'])).split('\n').filter(Boolean) : []
  const noto = ['Noto Serif CJK SC', 'Noto Sans CJK SC'].filter((name) => families.some((line) => line.includes(name)))
  if (noto.length === 2) return { ...tool, is_installed: true, version: noto.join('、'), error: '' }
  const error =
    families.length > 0
      ? '缺少 Noto CJK 字体：转换较慢，字形可能不准确'
      : '未安装中文字体：办公文档中的汉字会显示为方框'
  return { ...tool, is_installed: families.length > 0, version: '', error }
}

async function sandbox(): Promise<Tool> {
  const tool = { name: '安全隔离', description: '让转换程序碰不到网络与其他文件', cmd: 'bwrap', is_required: true }
  const walls = await findWalls()
  if (walls === 'none') {
    const error = '没有可用的安全隔离：办公文档与 CHM 的转换已暂停，请安装 bubblewrap 并允许用户命名空间'
    return { ...tool, is_installed: false, version: '', error }
  }
  if (walls === 'unshare') {
    const error = '未能使用 bubblewrap：转换程序仍碰不到网络，但看得到其他文件'
    return { ...tool, cmd: 'unshare', is_installed: true, version: 'unshare', error }
  }
  const path = findProgram('bwrap')
  const version = path ? /([\d.]+)/.exec(await output(path, ['--version']))?.[1] : ''
  return { ...tool, is_installed: true, version: `bubblewrap ${version}`, error: '' }
}

async function library(name: string, description: string, id: string): Promise<Tool> {
  const tool = { name, description, cmd: id, is_required: true }
  try {
    return { ...tool, is_installed: true, version: await versionOf(id), error: '' }
  } catch {
    return { ...tool, is_installed: false, version: '', error: '未安装：请重新运行 npm install' }
  }
}

/** Packages do not all let their package.json be imported: it lies above their entry. */
async function versionOf(id: string): Promise<string> {
  const entry = import.meta.resolve(id)
  const folder = entry.slice(0, entry.lastIndexOf(`/node_modules/${id}/`)) + `/node_modules/${id}/package.json`
  const parsed: unknown = JSON.parse(await readFile(new URL(folder), 'utf8'))
  const version = typeof parsed === 'object' && parsed && 'version' in parsed ? parsed.version : ''
  return String(version)
}

/** Programs do not agree on where the version is printed, nor on the status. */
async function output(path: string, args: string[]): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(path, args, { timeout: 10_000, maxBuffer: 4e6 })
    return stdout + stderr
  } catch {
    return ''
  }
}
