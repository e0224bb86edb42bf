import { strToU8 } from 'fflate'
import type { Manuscript } from './chapters.ts'
import { paragraphs } from './prose.ts'

/** Chapters, or paragraphs under one title. Pages are numbered. */
export function makeRtf(options: Manuscript & { paragraphs?: readonly string[] } = {}): Uint8Array {
  const { title = '通知', author = '', chapters } = options
  const lines = chapters
    ? chapters.flatMap((chapter) => [
        `\\pard\\keepn\\sb360\\sa160\\outlinelevel0{\\f1\\b\\fs32\\cf1 ${escapeRtf(chapter.title)}}\\par`,
        ...chapter.paragraphs.map(plainParagraph),
      ])
    : (options.paragraphs ?? paragraphs(4)).map(plainParagraph)
  const byline = author && `\\pard\\qc\\sa360{\\cf2 ${escapeRtf(author)}}\\par\n`
  return strToU8(
    `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 SimSun;}{\\f1 SimHei;}}{\\colortbl;\\red29\\green78\\blue137;\\red102\\green102\\blue102;}\\paperw11906\\paperh16838\\margl1440\\margr1440\\margt1440\\margb1440{\\footer\\pard\\qc\\fs18\\cf2 \\chpgn\\par}\\fs24 \\pard\\qc\\sb240\\sa120{\\f1\\b\\fs44 ${escapeRtf(title)}}\\par\n${byline}${lines.join('\n')}\n}`,
  )
}

function plainParagraph(text: string): string {
  return `\\pard\\fi480\\sl360\\slmult1 ${escapeRtf(text)}\\par`
}

function escapeRtf(text: string): string {
  return text.replace(/[\\{}]/g, '\\$&').replace(/[\u0080-\uffff]/g, (char) => {
    const code = char.charCodeAt(0)
    return `\\u${code > 0x7fff ? code - 0x10000 : code}?`
  })
}
