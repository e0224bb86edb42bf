import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  remove(): Promise<void>
}

/** A database of its own for one test site, with or without the seeds of a new one. */
export function copyDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const { engine, url } = inject('database')
  return engine === 'sqlite' ? copyFile(url, options) : copyOnServer(url, options)
}

async function copyFile(template: string, { empty }: { empty?: boolean }): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-site-'))
  const url = join(folder, 'site.db')
  if (!empty) copyFileSync(template, url)
  return { url, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

async function copyOnServer(server: string, { empty }: { empty?: boolean }): Promise<TestDatabase> {
  const name = `site_${randomBytes(6).toString('hex')}`
  const template = empty ? 'template0' : 'template_site'
  await onServer(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => onServer(server, `drop database ${name} with (force)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
