import type { UserRow } from '#server/modules/users/users.queries.ts'
import { decryptIdentity } from '#server/modules/users/identity/identity-columns.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { toFileName } from '#server/modules/downloads/file-name.ts'
import type { Ctx } from '#server/context.ts'
import { indexPage } from './index-page.ts'
import type { ExportedRow, Section } from './section.ts'
import { documentSection, readAll, sections } from './sections.ts'
import type { ZipEntry } from './zip.ts'

export interface ArchiveOptions {
  user: UserRow
  /** Called after each entry, with the number of entries so far. */
  onProgress(done: number): Promise<void>
  signal: AbortSignal
}

/** Texts that deflate makes smaller; other documents are compressed by their own format. */
const compressible = new Set(['.txt', '.md', '.csv', '.html', '.htm', '.xml', '.json', '.rtf', '.doc', '.xls', '.ppt'])

/** How many entries an archive will have, but for files that are missing. */
export async function countEntries({ db }: Ctx, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('document')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  // The profile and the page that leads to all of it.
  return count + sections.length + 2
}

/** The data of a member: the files of the documents, all lists as JSON, and a page to read them with. */
export async function* archiveEntries(ctx: Ctx, options: ArchiveOptions): AsyncGenerator<ZipEntry> {
  const { user, onProgress, signal } = options
  const modifiedAt = ctx.now()
  const missing = new Set<number>()
  let done = 0
  const progress = async () => {
    signal.throwIfAborted()
    await onProgress((done += 1))
  }
  for await (const rows of readAll(documentSection, ctx.db, user.id)) {
    for (const row of rows) {
      const content = await ctx.storage.read(contentKey(String(row.hash)))
      if (content)
        yield {
          name: filePath(row),
          modifiedAt: Number(row.created_at),
          content,
          isCompressed: !compressible.has(String(row.ext)),
          size: Number(row.size),
        }
      else missing.add(row.id)
      await progress()
    }
  }
  yield { name: 'data/profile.json', modifiedAt, content: oneText(JSON.stringify(profileOf(ctx, user), null, 2)) }
  await progress()
  for (const section of sections) {
    yield {
      name: `data/${section.name}.json`,
      modifiedAt,
      content: toJson(readSection(ctx, user.id, section, missing)),
    }
    await progress()
  }
  const tables = sections.map((section) => ({ section, rows: readSection(ctx, user.id, section, missing) }))
  yield { name: 'index.html', modifiedAt, content: indexPage(ctx, user, tables) }
  await progress()
}

/** Documents with the path of their file in the archive; empty if it is missing. */
async function* readSection(
  { db }: Ctx,
  userId: number,
  section: Section,
  missing: ReadonlySet<number>,
): AsyncGenerator<ExportedRow> {
  for await (const rows of readAll(section, db, userId))
    for (const row of rows)
      yield section === documentSection ? { ...row, file: missing.has(row.id) ? '' : filePath(row) } : row
}

/** The id keeps apart what has the same name. */
function filePath({ id, file_name, title, ext }: ExportedRow): string {
  return `files/${id}-${toFileName(String(file_name ?? ''), { title: String(title), ext: String(ext) })}`
}

function profileOf({ cipher }: Ctx, user: UserRow) {
  const { realname = '', identity = '' } = decryptIdentity(cipher, user) ?? {}
  const { id, username, email, mobile, address, signature, avatar, credit_count, register_ip, last_login_ip } = user
  const times = withTimes({ created_at: user.created_at, login_at: user.login_at, vip_until: user.vip_until || null })
  const contact = { email, mobile, address, signature, avatar }
  return { id, username, realname, identity, ...contact, credit_count, register_ip, last_login_ip, ...times }
}

/** An array of objects, one in a line. */
async function* toJson(rows: AsyncIterable<ExportedRow>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const row of rows) {
    yield `${separator}${JSON.stringify(withTimes(row))}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Times in words that other programs read. */
function withTimes(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      /_(at|until)$/.test(key) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  )
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text
}
