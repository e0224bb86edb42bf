import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A temporary folder that is removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A temporary file, described as the converter takes it. */
export function writeTempFile(name: string, content: Uint8Array | string): { path: string; ext: string; size: number } {
  const path = join(tempFolder(), name)
  writeFileSync(path, content)
  return { path, ext: extname(name).toLowerCase(), size: Buffer.byteLength(content) }
}
