import { escapeHtml } from '#shared/escape-html.ts'
import { formatTime } from '#shared/format.ts'
import type { Ctx } from '#server/context.ts'
import type { UserRow } from '#server/modules/users/users.queries.ts'
import type { ExportedRow, Section } from './section.ts'

export interface Table {
  section: Section
  rows: AsyncIterable<ExportedRow>
}

const style = `body{font:16px/1.7 system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em;color:#222}
h2{margin-top:2em}table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid #ddd;padding:.3em .6em;text-align:left;vertical-align:top;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8ab4f8}th,td{border-color:#333}}`

/** A page that shows an export in any browser, without the site. */
export async function* indexPage(
  { settings, now }: Pick<Ctx, 'settings' | 'now'>,
  { username }: Pick<UserRow, 'username'>,
  tables: readonly Table[],
): AsyncGenerator<string> {
  const title = `${username} 在 ${settings.system.sitename} 的数据`
  yield `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body><h1>${escapeHtml(title)}</h1>
<p>导出时间：${formatTime(now())}。文档的原文件在 files 文件夹里，全部数据在 data 文件夹里（JSON 格式）。</p>
<p><a href="data/profile.json">个人资料</a></p>\n`
  for (const { section, rows } of tables) yield* tableOf(section, rows)
  yield '</body></html>\n'
}

async function* tableOf({ name, title, columns }: Section, rows: AsyncIterable<ExportedRow>): AsyncGenerator<string> {
  const headings = Object.keys(columns).map((heading) => `<th scope="col">${escapeHtml(heading)}</th>`)
  yield `<h2>${title}</h2>\n<p><a href="data/${name}.json">${name}.json</a></p>\n`
  let count = 0
  for await (const row of rows) {
    if (count === 0) yield `<table><thead><tr>${headings.join('')}</tr></thead><tbody>\n`
    count += 1
    const cells = Object.values(columns).map(
      (toText, n) => `<td>${n === 0 ? linked(row, toText(row)) : escapeHtml(toText(row))}</td>`,
    )
    yield `<tr>${cells.join('')}</tr>\n`
  }
  yield count === 0 ? '<p>没有。</p>\n' : '</tbody></table>\n'
}

/** To the file of a document. */
function linked({ file }: ExportedRow, text: string): string {
  if (typeof file !== 'string') return escapeHtml(text)
  if (file === '') return `${escapeHtml(text)}（文件缺失）`
  return `<a href="${escapeHtml(file.split('/').map(encodeURIComponent).join('/'))}">${escapeHtml(text)}</a>`
}
