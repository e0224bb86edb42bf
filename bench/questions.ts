import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DocumentStatus } from '#shared/document-status.ts'
import { client } from '#shared/client.ts'
import { categories } from '#shared/contract/catalog.ts'
import { documents } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { ContentType } from '#shared/enums.ts'
import { readPageTexts } from '#server/modules/renditions/page-text.ts'
import { type Db, openDatabase } from '../src/server/db/open.ts'
import { openStorage } from '../src/server/storage/open.ts'
import { createUploadClient, type UploadClient } from '../e2e/upload-client.ts'
import { type Known, listQuestions, type Question } from './question-forms.ts'
import { type BenchSite, benchPassword, startBenchSite } from './site.ts'

/**
 * Whether people who search badly find what they look for: `npm run bench:questions -- folder`. A site gets the demo and
 * the files of the folder; then it is asked for every document in the ways of `question-forms.ts`: with a wrong, a missing
 * or two swapped characters, in pinyin, by initials, in sentences, in traditional characters, by words of its text. Fails
 * where fewer than nine of ten questions have their document among the first five results. `DATABASE_URL` for PostgreSQL.
 */

const { positionals } = parseArgs({ allowPositionals: true })
const minSuccess = 0.9
const places = 5
const maxFileSize = 20_000_000
const convertTimeoutMs = 600_000

process.env.TRUST_PROXY = '127.0.0.1,::1'
const site = await startBenchSite()
const database = openDatabase(process.env.DATABASE_URL || join(site.folder, 'wendou.db'))
try {
  await site.configure({ 'security.enable_captcha_login': 'false', 'security.upload_count_every_day': '0' })
  fillWithDemo(site)
  const owner = await createUploadClient(site.url, { username: 'admin', password: benchPassword })
  for (const folder of positionals) await uploadAll(owner, folder)
  await waitUntilIndexed(database.db)
  const known = await readDocuments(site, database.db)
  report(known, await askAll(site, listQuestions(known)))
} finally {
  await database.db.destroy()
  site.stop()
}

function fillWithDemo({ folder }: BenchSite): void {
  const command = resolve(import.meta.dirname, '../src/server/cli/main.ts')
  execFileSync(process.execPath, [command, 'demo'], { env: { ...process.env, DATA_DIR: folder }, stdio: 'ignore' })
}

async function uploadAll(owner: UploadClient, folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const category_id = await anyCategory(owner)
  const ids: number[] = []
  for (const entry of names.filter((entry) => entry.isFile())) {
    const content = readFileSync(join(entry.parentPath, entry.name))
    if (content.length > maxFileSize) continue
    const { id, refusal } = await owner.upload(entry.name, content)
    if (refusal !== '') continue
    const { document } = await owner.call(documents.create, { category_id, document: [{ attachment_id: id }] })
    ids.push(...document.map((created) => created.id))
  }
  const finished = await owner.waitUntilFinished(ids, convertTimeoutMs)
  const shown = finished.filter(({ status }) => status === DocumentStatus.Converted)
  console.log(`${folder}: ${ids.length} files taken, ${shown.length} with pages`)
}

async function anyCategory({ call }: UploadClient): Promise<number[]> {
  const { category } = await call(categories.list, { type: [ContentType.Document], size: 1 })
  return category.map(({ id }) => id)
}

/** A file whose name says nothing gets the first line of its text as its title, as a careful member would type it. */
async function readDocuments({ folder, url }: BenchSite, db: Db): Promise<Known[]> {
  const storage = await openStorage('', { dataDir: folder })
  const rows = await db
    .selectFrom('document')
    .innerJoin('rendition', 'rendition.hash', 'document.hash')
    .select(['document.id', 'title', 'document.hash', 'rendition.revision', 'rendition.pages'])
    .where('deleted_at', 'is', null)
    .where('document.status', '=', DocumentStatus.Converted)
    .execute()
  const known: Known[] = []
  const owner = await createUploadClient(url, { username: 'admin', password: benchPassword })
  const category_id = await anyCategory(owner)
  for (const { id, title, hash, revision, pages: last } of rows) {
    const pages = last > 0 ? await readPageTexts({ storage }, { hash, revision, from: 1, to: last }) : []
    const better = isTelling(title) ? title : (firstLine(pages) ?? title)
    if (better !== title) await owner.call(documents.update, { id, title: better, category_id, keywords: '' })
    known.push({ id, title: better, pages })
  }
  await waitUntilIndexed(db)
  return known
}

function isTelling(title: string): boolean {
  return /\p{Script=Han}{4}|[a-z]{3,}[ _-]+[a-z]{3,}/iu.test(title)
}

function firstLine(pages: readonly string[]): string | undefined {
  const lines = pages.slice(0, 3).flatMap((page) => page.split('\n').map((line) => line.trim()))
  return lines.find((line) => isTelling(line) && line.length <= 60)
}

async function waitUntilIndexed(db: Db): Promise<void> {
  const due = db.selectFrom('job').select('id').where('kind', 'in', ['search.index-documents', 'renditions.convert'])
  while ((await due.execute()).length > 0) await pause(500)
}

type QuestionResult = Question & { place: number; step: string }

async function askAll({ url }: BenchSite, questions: readonly Question[]): Promise<QuestionResult[]> {
  let asked = 0
  // Each from another address: what one visitor may ask is limited.
  const call = client({
    origin: url,
    fetch: (request) => {
      request.headers.set('x-forwarded-for', `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`)
      return fetch(request)
    },
  })
  const results: QuestionResult[] = []
  for (const question of questions) {
    asked++
    const { document, step } = await call(searches.documents, { wd: question.typed })
    results.push({ ...question, step, place: document.findIndex(({ id }) => question.expected.has(id)) + 1 })
  }
  return results
}

function report(known: readonly Known[], results: readonly QuestionResult[]): void {
  const isSuccess = ({ place }: QuestionResult) => place > 0 && place <= places
  console.log(`${known.length} documents, ${results.length} questions`)
  console.log(`  ${'form'.padEnd(20)}asked  success@${places}  first`)
  const rows = [...Map.groupBy(results, ({ form }) => form), ['all', results] as const]
  for (const [form, list] of rows) {
    const share = (count: number) => (count / list.length).toFixed(3)
    const [good, first] = [list.filter(isSuccess).length, list.filter(({ place }) => place === 1).length]
    console.log(`  ${form.padEnd(20)}${String(list.length).padStart(5)}  ${share(good).padStart(9)}  ${share(first)}`)
  }
  const failures = results.filter((question) => !isSuccess(question))
  const titleOf = new Map(known.map(({ id, title }) => [id, title]))
  for (const { form, typed, expected, step } of failures)
    console.log(`  failed: ${form}: ${typed} → ${titleOf.get([...expected][0] ?? 0) ?? ''} (${step || 'nothing'})`)
  if (failures.length > (1 - minSuccess) * results.length) process.exitCode = 1
}
