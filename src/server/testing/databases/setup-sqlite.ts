import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeTemplate } from './template.ts'

/** One seeded database file, which each test site copies. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
  const file = join(folder, 'template.db')
  await makeTemplate(file)
  project.provide('database', { engine: 'sqlite', url: file })
  return () => rmSync(folder, { recursive: true, force: true })
}
