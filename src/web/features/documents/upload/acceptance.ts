import { documentExts, getExt } from '#shared/document-kinds.ts'
import { formatSize } from '#shared/format.ts'

/** What a browser knows of a file without reading it. */
export interface FileInfo {
  name: string
  size: number
  lastModified: number
}

export interface UploadRules {
  exts: readonly string[]
  /** In bytes. */
  limit: number
}

export interface RejectedFile {
  id: number
  name: string
  reason: string
}

const maxRows = 1000

/** The owner may write extensions as `pdf`, `.PDF` or `*.pdf`; an empty list allows all. */
export function uploadRules(security: {
  document_allowed_ext: readonly string[]
  max_document_size: number
}): UploadRules {
  const allowed = security.document_allowed_ext.map(
    (ext) =>
      `.${ext
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, '')}`,
  )
  return {
    exts: allowed.length > 0 ? documentExts.filter((ext) => allowed.includes(ext)) : documentExts,
    limit: security.max_document_size * 1024 * 1024,
  }
}

/** Separates the chosen files that can be uploaded from those that cannot, with the reason. */
export function filterFiles<F extends FileInfo>(
  files: readonly F[],
  { rules, listed }: { rules: UploadRules; listed: readonly FileInfo[] },
): { accepted: F[]; rejected: RejectedFile[] } {
  const seen = new Set(listed.map(fingerprint))
  const accepted: F[] = []
  const rejected: RejectedFile[] = []
  for (const file of files) {
    const reason = findProblem(file, { rules, seen, freeRows: maxRows - listed.length - accepted.length })
    if (reason) rejected.push({ id: rejected.length, name: file.name, reason })
    else accepted.push(file)
    seen.add(fingerprint(file))
  }
  return { accepted, rejected }
}

export function fingerprint({ name, size, lastModified }: FileInfo): string {
  return `${size}:${lastModified}:${name}`
}

/** Hidden files and files that operating systems create. */
export function isJunkFile(name: string): boolean {
  return /^(\.|~\$|thumbs\.db$|desktop\.ini$|__macosx$)/i.test(name)
}

function findProblem(
  file: FileInfo,
  { rules, seen, freeRows }: { rules: UploadRules; seen: ReadonlySet<string>; freeRows: number },
): string | undefined {
  const ext = getExt(file.name)
  if (!rules.exts.includes(ext)) return ext ? `不支持 ${ext} 格式` : '文件没有扩展名，无法识别格式'
  if (file.size === 0) return '文件是空的'
  if (file.size > rules.limit) return `文件有 ${formatSize(file.size)}，超过了 ${formatSize(rules.limit)} 的上限`
  if (seen.has(fingerprint(file))) return '已在列表中'
  return freeRows > 0 ? undefined : `一次最多 ${maxRows} 个文件，请传完后再选`
}
