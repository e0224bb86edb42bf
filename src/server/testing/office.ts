import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempFolder } from './folder.ts'

/** Converts by LibreOffice to formats that only it can write: `.doc`, `.xls`, `.ppt` … */
export async function saveAs(program: string, content: Uint8Array, from: string, to: string): Promise<Uint8Array> {
  const folder = tempFolder()
  writeFileSync(join(folder, `made${from}`), content)
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const args = [profile, '--headless', '--convert-to', to.slice(1), '--outdir', folder, join(folder, `made${from}`)]
  await promisify(execFile)(program, args, { timeout: 60_000 })
  return readFileSync(join(folder, `made${to}`))
}
