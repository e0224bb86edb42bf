/**
 * A title from a file's metadata, if it says more than the name of the file; empty otherwise. Programs fill the field with
 * templates, paths and their own names, and old ones with bytes in an unknown encoding.
 */
export function sensibleTitle(raw: string): string {
  const title = raw.replaceAll(/\s+/g, ' ').trim()
  if (title.length < minLength || title.length > maxLength) return ''
  return [isTemplate, isFileName, isPath, isGarbled, isWithoutWords].some((isBad) => isBad(title)) ? '' : title
}

const minLength = 2
const maxLength = 200

const templates = [
  /^microsoft (word|excel|powerpoint|office)\b/i,
  /^(wps|libreoffice|openoffice)\b/i,
  /^(powerpoint|ppt) ?(presentation|演示文稿)?$/i,
  /^(untitled|unnamed|unknown|title|no title|none|null|test|temp|noname)([ _-]?\d+)?$/i,
  /^(document|presentation|book|workbook|sheet|slide|doc|scan|image|img|file|page)[ _-]?\d*$/i,
  /^(无标题|未命名|无题|标题|文档标题|单击此处编辑母版标题样式|单击此处添加标题|文档|演示文稿|工作簿|幻灯片|新建|扫描件?|图片)[ _-]?\d*$/,
  /^(新建|未命名|无标题)(.{0,24}(文档|文稿|表格|工作表|演示|文件))[ _-]*[(（]?\d*[)）]?$/,
]

function isTemplate(title: string): boolean {
  return templates.some((pattern) => pattern.test(title))
}

function isFileName(title: string): boolean {
  return /\.(docx?|xlsx?|pptx?|wps|et|dps|pdf|epub|mobi|txt|rtf|indd|tex|dvi|ps|html?|md|cdr|ai|psd|wpd|tmp)$/i.test(
    title,
  )
}

function isPath(title: string): boolean {
  return /^([a-z]:[\\/]|\\\\|\/|file:|https?:)/i.test(title) || /[\\/][^\\/]+[\\/]/.test(title)
}

/** Control characters, private use, what decoders write for unknown bytes, or mostly accented letters: wrongly decoded. */
function isGarbled(title: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f\ufffd\ue000-\uf8ff]/.test(title) || !title.isWellFormed()) return true
  const accented = title.match(/[\u00a0-\u00ff]/g)?.length ?? 0
  return accented >= 3 && accented / title.length > 0.25
}

function isWithoutWords(title: string): boolean {
  return !/\p{L}{2}|\p{Script=Han}/u.test(title) || /^[\da-f-]{16,}$/i.test(title)
}
