import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that goes with the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A file with this name and content, as the converter takes it. */
export function placeFile(name: string, content: Uint8Array | string): { path: string; ext: string; size: number } {
  const path = join(tempFolder(), name)
  writeFileSync(path, content)
  return { path, ext: extname(name).toLowerCase(), size: Buffer.byteLength(content) }
}
