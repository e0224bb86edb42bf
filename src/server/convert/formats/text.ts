import { escapeXml } from '../xml.ts'
import { type Chapter } from './epub.ts'

/** In characters. A longer chapter becomes several files, so that the layout of its first page does not take long. */
const maxPartLength = 20_000

/** Splits plain text into chapters: at its headings, or by length where it has none. Each line is a paragraph. */
export function* splitChapters(text: string): Generator<Chapter> {
  let heading: Heading | undefined
  let lines: string[] = []
  let length = 0
  let isPart = false
  function* flush(): Generator<Chapter> {
    if (heading ? isPart && lines.length === 0 : lines.length === 0) return
    // Only the first part of a chapter has its heading.
    const first = heading && !isPart ? heading : undefined
    const tag = first ? `h${first.level + 1}` : ''
    const title = first ? `<${tag}>${escapeXml(first.title)}</${tag}>\n` : ''
    const body = title + lines.map((line) => `<p>${escapeXml(line)}</p>`).join('\n')
    yield { level: first?.level ?? 0, body: body || '<p></p>', ...(first && { title: first.title }) }
    lines = []
    length = 0
  }
  for (const line of splitLines(text)) {
    const next = parseHeading(line)
    if (next) {
      yield* flush()
      heading = next
      isPart = false
      continue
    }
    lines.push(line)
    length += line.length
    if (length < maxPartLength) continue
    yield* flush()
    isPart = true
  }
  yield* flush()
}

/** Lines without surrounding blanks; very long ones are split at the ends of sentences. */
function* splitLines(text: string): Generator<string> {
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

/** A heading is a short line that does not end like a sentence. */
function parseHeading(line: string): Heading | undefined {
  if (line.length > 40 || /[。，,；;！!？?…”]$/.test(line)) return undefined
  const title = line.replace(/\s+/g, ' ')
  if (volume.test(line)) return { title, level: 0 }
  if (chapter.test(line)) return { title, level: /^(part|book)/i.test(line) ? 0 : 1 }
  return named.test(line) ? { title, level: 1 } : undefined
}
