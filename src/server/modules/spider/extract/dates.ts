const searchedLength = 20_000

const datePattern =
  /(?<!\d)(\d{4})\s?([-/.年])\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)\s?日?(?:\s?(?:星期|周)[一二三四五六日天])?(?:\s?T?\s?(\d{1,2})\s?[:：时点]\s?(\d{1,2})(?:\s?[:：分]\s?(\d{1,2}))?(?:\.\d{1,9})?\s?秒?\s?(Z|[+-]\d{2}:?\d{2})?)?/g
/** Feeds write dates as mails do. */
const mailDate = /\d{1,2}\s[A-Za-z]{3,9}\s\d{4}\s\d{1,2}:\d{2}(?::\d{2})?\s(?:[A-Z]{1,4}|[+-]\d{4})/

/** The first date in a short text. */
export function parseDate(text: string): number | undefined {
  const line = text.slice(0, 200).replace(/\s+/g, ' ')
  for (const match of line.matchAll(datePattern)) {
    const time = timeOf(match)
    if (time !== undefined) return time
  }
  const written = mailDate.exec(line)?.[0]
  const time = written ? Date.parse(written) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** When the text says it was published: a labelled date, else the first one that is written in Chinese. */
export function findDate(text: string): number | undefined {
  let first: number | undefined
  for (const match of text.slice(0, searchedLength).matchAll(datePattern)) {
    const time = timeOf(match)
    const before = text.slice(Math.max(0, match.index - 10), match.index)
    if (time === undefined || /(?:今天|今日|现在|当前)[^\d]*$/.test(before)) continue
    if (/(?:发布|发表|公开|印发|更新|时间|日期)[^\d]*$/.test(before)) return time
    if (match[2] === '年') first ??= time
  }
  return first
}

/** Without a zone, the time is that of the site: its readers see the day that the page names. */
function timeOf([, year, , month, day, hour = '0', minute = '0', second = '0', zone]: RegExpExecArray):
  | number
  | undefined {
  const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map((part) => String(part).padStart(2, '0'))
  const time = Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}${zone?.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2') ?? ''}`)
  if (Number.isNaN(time)) return undefined
  // JavaScript takes the 30th of February for a day in March.
  const isReal = new Date(Date.UTC(Number(y), Number(m) - 1, Number(d))).getUTCDate() === Number(d)
  return isReal && Number(y) >= 1900 && Number(y) < 2100 ? time : undefined
}
