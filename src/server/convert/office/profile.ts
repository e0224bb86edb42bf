import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fontconfigXml } from './fonts.ts'
import { runInSandbox, type SandboxJob } from '../sandbox/sandbox.ts'
import type { Isolation } from '../sandbox/isolation.ts'
import { writeZip } from '../archives/zip-write.ts'

/** Shared by all starts of LibreOffice: an initialised user profile and the font cache. */
export interface OfficeProfile {
  /** Every process gets a copy of its own, so that nothing passes from one document to another. */
  copyTo(folder: string): Promise<void>
  fontsFolder: string
  /** A Word file that a prewarmed process opens to load the libraries and fonts that most documents need. */
  warmUpDocument: string
  /** Holds all of this, and the work directories of prewarmed processes. */
  folder: string
  remove(): Promise<void>
}

/** The first start with a profile registers extensions, restarts and scans all fonts: it is done once, not by each job. */
export async function createOfficeProfile(
  workDir: string,
  executable: string,
  isolation: Isolation,
): Promise<OfficeProfile> {
  await mkdir(workDir, { recursive: true })
  await removeOrphans(workDir)
  const folder = await mkdtemp(join(workDir, `office-${process.pid}-`))
  const part = (name: string) => join(folder, name)
  const [profile, fontsFolder, warmUpDocument] = [part('profile'), part('fonts'), part('warm-up.docx')]
  try {
    await mkdir(join(profile, 'user'), { recursive: true })
    await mkdir(join(fontsFolder, 'cache'), { recursive: true })
    await writeFile(join(profile, 'user/registrymodifications.xcu'), registry)
    await writeFile(join(fontsFolder, 'fonts.conf'), fontconfigXml())
    await writeZip(warmUpDocument, async (add) => {
      for (const [name, text] of Object.entries(warmUpParts)) await add(name, text)
    })
    await runInSandbox(isolation, {
      executable,
      mounts: { profile: { path: profile, writable: true }, fonts: { path: fontsFolder, writable: true } },
      ...officeLaunch,
      args: (at) => [...officeLaunch.args(at), '--terminate_after_init'],
      limits: { timeoutMs: 60_000, memoryBytes: 2e9, diskBytes: 300e6, processes: 128 },
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    fontsFolder,
    warmUpDocument,
    folder,
    copyTo: (target) => cp(profile, target, { recursive: true }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Removes the folders of killed server processes. One with our own pid that is older than we are is such a folder too. */
async function removeOrphans(workDir: string): Promise<void> {
  for (const name of await readdir(workDir)) {
    const pid = Number(/^office-(\d+)-/.exec(name)?.[1])
    if (!pid) continue
    const { birthtimeMs } = await stat(join(workDir, name))
    const isOurs = pid === process.pid && birthtimeMs >= Date.now() - process.uptime() * 1000
    if (!isOurs && (pid === process.pid || !isRunning(pid)))
      await rm(join(workDir, name), { recursive: true, force: true })
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

/** Arguments and environment of every start; needs the mounts `profile` and `fonts`. */
export const officeLaunch = {
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

/** The future version keeps LibreOffice from testing the graphics driver at every start. */
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
const warmUpParts = {
  '[Content_Types].xml': `<Types xmlns="${formats}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${formats}/package/2006/relationships"><Relationship Id="rId1" Type="${formats}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  'word/document.xml': `<w:document xmlns:w="${formats}/wordprocessingml/2006/main"><w:body><w:p>${run('宋体', '文档 1')}${run('黑体', '标题')}</w:p><w:tbl><w:tr><w:tc><w:p>${run('宋体', '表格')}</w:p></w:tc></w:tr></w:tbl><w:p/></w:body></w:document>`,
}
