import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptCommand, aptInstaller } from './apt.mjs'
import { at } from './paths.mjs'
import { hasExecutable, programFolder } from './executables.mjs'

/** Installs missing converters and fonts if possible; otherwise prints the consequences and continues. */
export async function ensureConverters() {
  if (process.env.WENDOU_SKIP_TOOLS === '1') return
  const packages = missingTools().flatMap((tool) => tool.missing)
  if (packages.length === 0) return

  if (!triedRecently(packages)) await install(packages)
  for (const tool of missingTools()) {
    console.error(`缺少 ${tool.name}：${tool.consequence}。安装命令：${aptCommand(tool.missing)}`)
  }
}

async function install(packages) {
  recordTry(packages)
  const aptInstall = await aptInstaller()
  if (!aptInstall) return
  console.error(`正在安装文档转换程序和字体（只需一次，约几分钟）：${packages.join(' ')}`)
  await aptInstall(packages)
}

function missingTools() {
  return tools
    .map((tool) => ({ ...tool, missing: Object.keys(tool.packages).filter((name) => !isPresent(name, tool)) }))
    .filter((tool) => tool.missing.length > 0)
}

const isPresent = (name, tool) => existsSync(`/var/lib/dpkg/info/${name}.md5sums`) || tool.packages[name]()

// Each package with a check whether it is installed in another way.
const tools = [
  {
    name: 'LibreOffice',
    consequence: 'Word、Excel、PPT 等办公文档不能在线阅读',
    packages: {
      'libreoffice-writer-nogui': () => hasOffice('libswlo.so'),
      'libreoffice-calc-nogui': () => hasOffice('libsclo.so'),
      'libreoffice-impress-nogui': () => hasOffice('libsdlo.so'),
    },
  },
  {
    name: 'poppler',
    consequence: '个别 PDF 页面显示不出来',
    packages: {
      'poppler-utils': () => hasExecutable('pdftocairo'),
      'poppler-data': () => existsSync('/usr/share/poppler/cMap'),
    },
  },
  { name: '7z', consequence: 'chm 电子书不能在线阅读', packages: { 'p7zip-full': () => hasExecutable('7z') } },
  {
    name: 'bubblewrap',
    consequence: '转换文档时少一层安全隔离',
    packages: { bubblewrap: () => hasExecutable('bwrap') },
  },
  {
    name: '中文字体',
    consequence: '转换后的文档里中文显示为方框',
    packages: { 'fonts-noto-cjk': () => hasFont('opentype/noto/NotoSansCJK-Regular.ttc') },
  },
  {
    name: '西文字体',
    consequence: '转换后的文档排版与原文有出入',
    packages: {
      'fonts-liberation': () => hasFont('truetype/liberation/LiberationSans-Regular.ttf'),
      'fonts-crosextra-carlito': () => hasFont('truetype/crosextra/Carlito-Regular.ttf'),
      'fonts-crosextra-caladea': () => hasFont('truetype/crosextra/Caladea-Regular.ttf'),
    },
  },
]

const hasFont = (file) => existsSync(join('/usr/share/fonts', file))

function hasOffice(part) {
  const folder = programFolder('soffice')
  return folder !== undefined && existsSync(join(folder, part))
}

const lastTry = at('node_modules/.wendou-converters')
const day = 24 * 60 * 60 * 1000

/** A start must not wait for apt if it has just failed for the same packages. */
function triedRecently(packages) {
  if (!existsSync(lastTry) || Date.now() - statSync(lastTry).mtimeMs > day) return false
  const tried = readFileSync(lastTry, 'utf8').split(' ')
  return packages.every((name) => tried.includes(name))
}

function recordTry(packages) {
  try {
    writeFileSync(lastTry, packages.join(' '))
  } catch {
    // The folder is read-only: the next start tries again.
  }
}
