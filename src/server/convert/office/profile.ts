import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fontSettings } from './fonts.ts'
import { runInSandbox, type SandboxJob } from '../sandbox/sandbox.ts'
import type { Walls } from '../sandbox/isolation.ts'
import { writeZip } from '../archives/zip-write.ts'

/** What every start of the office program shares: settings that were warmed up once, and the list of fonts. */
export interface OfficeProfile {
  /** A copy of the settings of its own, so that no document sees what another left. */
  copyTo(folder: string): Promise<void>
  fonts: string
  /** A Word file of our own: a process that has it open has loaded what other files need, too. */
  first: string
  /** For work that begins before it has a document; goes with the profile. */
  home: string
  remove(): Promise<void>
}

/** A first start sets extensions up and starts again, and reads all fonts: 0.3 s and more that jobs do not pay. */
export async function makeOfficeProfile(folder: string, program: string, walls: Walls): Promise<OfficeProfile> {
  await mkdir(folder, { recursive: true })
  await removeOrphans(folder)
  const home = await mkdtemp(join(folder, `office-${process.pid}-`))
  const [profile, fonts, first] = [join(home, 'profile'), join(home, 'fonts'), join(home, 'first.docx')]
  try {
    await mkdir(join(profile, 'user'), { recursive: true })
    await mkdir(join(fonts, 'cache'), { recursive: true })
    await writeFile(join(profile, 'user/registrymodifications.xcu'), registry)
    await writeFile(join(fonts, 'fonts.conf'), fontSettings())
    await writeZip(first, async (add) => {
      for (const [name, text] of Object.entries(firstFile)) await add(name, text)
    })
    await runInSandbox(walls, {
      program,
      mounts: { profile: { path: profile, writable: true }, fonts: { path: fonts, writable: true } },
      ...officeStart,
      args: (at) => [...officeStart.args(at), '--terminate_after_init'],
      limits: { timeoutMs: 60_000, memory: 2e9, written: 300e6, processes: 128 },
    })
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw error
  }
  return {
    fonts,
    first,
    home,
    copyTo: (target) => cp(profile, target, { recursive: true }),
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

/** What a process that was killed left behind. A number may be given again: then the folder is older than we are. */
async function removeOrphans(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^office-(\d+)-/.exec(name)?.[1])
    if (!pid) continue
    const { birthtimeMs } = await stat(join(folder, name))
    const isOurs = pid === process.pid && birthtimeMs >= Date.now() - process.uptime() * 1000
    if (!isOurs && (pid === process.pid || !isRunning(pid)))
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Needs the mounts `profile` and `fonts`. */
export const officeStart = {
  args: (at) => [
    `-env:UserInstallation=file://${at('profile')}`,
    '--headless',
    '--nologo',
    '--norestore',
    '--nolockcheck',
    '--nodefault',
    '--nofirststartwizard',
  ],
  env: (at) => ({
    FONTCONFIG_FILE: `${at('fonts')}/fonts.conf`,
    XDG_CACHE_HOME: at('fonts'),
    SAL_USE_VCLPLUGIN: 'svp',
    SAL_DISABLE_OPENCL: '1',
    GSETTINGS_BACKEND: 'memory',
  }),
} satisfies Pick<SandboxJob, 'args' | 'env'>

/** Path, name, value. The version keeps it from testing its graphics at every start. */
const settings: [path: string, name: string, value: string][] = [
  ['Setup/Product', 'ooSetupLastVersion', '99.9'],
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['Office.Common/Filter/PDF/Export', 'ReduceImageResolution', 'false'],
  ['Office.Common/Filter/PDF/Export', 'UseTaggedPDF', 'false'],
  ['Office.Common/Misc', 'UseLocking', 'false'],
  ['Office.Writer/Content/Update', 'Link', '0'],
  ['Office.Calc/Content/Update', 'Link', '1'],
]

const registry = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${settings
  .map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`

const run = (font: string, text: string) =>
  `<w:r><w:rPr><w:rFonts w:ascii="Times New Roman" w:eastAsia="${font}"/></w:rPr><w:t>${text}</w:t></w:r>`
const formats = 'http://schemas.openxmlformats.org'
const firstFile = {
  '[Content_Types].xml': `<Types xmlns="${formats}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${formats}/package/2006/relationships"><Relationship Id="rId1" Type="${formats}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  'word/document.xml': `<w:document xmlns:w="${formats}/wordprocessingml/2006/main"><w:body><w:p>${run('宋体', '文档 1')}${run('黑体', '标题')}</w:p><w:tbl><w:tr><w:tc><w:p>${run('宋体', '表格')}</w:p></w:tc></w:tr></w:tbl><w:p/></w:body></w:document>`,
}
