import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { makeTemplate } from './template.ts'

/** A PostgreSQL server with one seeded database, which each test site copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query('create database template_site')
  await admin.end()
  const template = new URL(url)
  template.pathname = '/template_site'
  await makeTemplate(template.href)
  project.provide('database', { engine: 'postgres', url })
  return stop
}
