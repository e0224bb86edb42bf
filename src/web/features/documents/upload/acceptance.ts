import { documentExts, extOf } from '#shared/document-kinds.ts'
import { formatSize } from '#shared/format.ts'

/** What names and dates tell apart. A browser says no more about a file without reading it. */
export interface FileFacts {
  name: string
  size: number
  lastModified: number
}

export interface Rules {
  exts: readonly string[]
  /** In bytes. */
  limit: number
}

export interface Refused {
  id: number
  name: string
  reason: string
}

const mostRows = 1000

/** The rules as the site's owner wrote them: `pdf`, `.PDF` and `*.pdf` alike, and nothing means everything. */
export function rulesOf(security: { document_allowed_ext: readonly string[]; max_document_size: number }): Rules {
  const wanted = security.document_allowed_ext.map(
    (ext) =>
      `.${ext
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, '')}`,
  )
  return {
    exts: wanted.length > 0 ? documentExts.filter((ext) => wanted.includes(ext)) : documentExts,
    limit: security.max_document_size * 1024 * 1024,
  }
}

/** Sorts what somebody chose into what can be uploaded and what cannot, each with its reason. */
export function sortOut<F extends FileFacts>(
  files: readonly F[],
  { rules, known }: { rules: Rules; known: readonly FileFacts[] },
): { taken: F[]; refused: Refused[] } {
  const seen = new Set(known.map(fingerprint))
  const taken: F[] = []
  const refused: Refused[] = []
  for (const file of files) {
    const reason = refusal(file, { rules, seen, room: mostRows - known.length - taken.length })
    if (reason) refused.push({ id: refused.length, name: file.name, reason })
    else taken.push(file)
    seen.add(fingerprint(file))
  }
  return { taken, refused }
}

export function fingerprint({ name, size, lastModified }: FileFacts): string {
  return `${size}:${lastModified}:${name}`
}

/** What systems leave in folders without anybody wanting it. */
export function isClutter(name: string): boolean {
  return /^(\.|~\$|thumbs\.db$|desktop\.ini$|__macosx$)/i.test(name)
}

function refusal(
  file: FileFacts,
  { rules, seen, room }: { rules: Rules; seen: ReadonlySet<string>; room: number },
): string | undefined {
  const ext = extOf(file.name)
  if (!rules.exts.includes(ext)) return ext ? `不支持 ${ext} 格式` : '文件没有扩展名，无法识别格式'
  if (file.size === 0) return '文件是空的'
  if (file.size > rules.limit) return `文件有 ${formatSize(file.size)}，超过了 ${formatSize(rules.limit)} 的上限`
  if (seen.has(fingerprint(file))) return '已在列表中'
  return room > 0 ? undefined : `一次最多 ${mostRows} 个文件，请传完后再选`
}
