import { type Chapter, escapeXml } from './epub.ts'

/** A chapter longer than this is laid out in parts, so that its first page does not wait for its last. */
const partLength = 20_000

/** Plain text as chapters: by its headings, or by length when it has none. Lines are paragraphs. */
export function* chaptersOf(text: string): Generator<Chapter> {
  let heading: Heading | undefined
  let lines: string[] = []
  let length = 0
  let isPart = false
  function* flush(): Generator<Chapter> {
    if (heading ? isPart && lines.length === 0 : lines.length === 0) return
    const opening = heading && !isPart ? heading : undefined
    const tag = opening ? `h${opening.level + 1}` : ''
    const head = opening ? `<${tag}>${escapeXml(opening.title)}</${tag}>\n` : ''
    const body = head + lines.map((line) => `<p>${escapeXml(line)}</p>`).join('\n')
    yield { level: opening?.level ?? 0, body: body || '<p></p>', ...(opening && { title: opening.title }) }
    lines = []
    length = 0
  }
  for (const line of linesOf(text)) {
    const next = headingOf(line)
    if (next) {
      yield* flush()
      heading = next
      isPart = false
      continue
    }
    lines.push(line)
    length += line.length
    if (length < partLength) continue
    yield* flush()
    isPart = true
  }
  yield* flush()
}

/** Paragraphs without the blanks around them. A line without end, as some programs write, is cut at its sentences. */
function* linesOf(text: string): Generator<string> {
  const lineEnd = /\r\n?|[\n\u2028\u2029\f]/g
  for (let from = 0; from <= text.length; from = lineEnd.lastIndex) {
    lineEnd.lastIndex = from
    const end = lineEnd.exec(text)
    const line = text.slice(from, end?.index ?? text.length).trim()
    if (line.length > 5000) yield* line.match(/[^]{1,2000}(?:[。！？.!?”]|$)|[^]{2000}/g) ?? [line]
    else if (line) yield line
    if (!end) return
  }
}

interface Heading {
  title: string
  level: number
}

const number = '[\\d０-９零〇一二三四五六七八九十百千万两壹贰叁肆伍陆柒捌玖拾佰]{1,9}'
const volume = new RegExp(`^(第\\s{0,2}${number}\\s{0,2}[卷部集编篇]|卷${number})(?=$|[\\s：:、.·—-])`)
const chapter = new RegExp(
  `^(第\\s{0,2}${number}\\s{0,2}[章回节節幕折话話]|(chapter|section|part|book)\\s+[\\divxlc]{1,8}\\b)`,
  'i',
)
const named =
  /^(序|序章|序言|前言|引言|引子|楔子|自序|后记|後記|尾声|尾聲|番外|附录|附錄|跋|prologue|epilogue|preface|introduction)(?=$|[\s：:一二三四五六七八九十\d])/i

/** A heading stands alone on a short line and ends no sentence. */
function headingOf(line: string): Heading | undefined {
  if (line.length > 40 || /[。，,；;！!？?…”]$/.test(line)) return undefined
  const title = line.replace(/\s+/g, ' ')
  if (volume.test(line)) return { title, level: 0 }
  if (chapter.test(line)) return { title, level: /^(part|book)/i.test(line) ? 0 : 1 }
  return named.test(line) ? { title, level: 1 } : undefined
}
