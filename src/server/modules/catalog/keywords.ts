const maxKeywords = 10
const maxLength = 255

/** Separated by commas, whatever separator the author has used. */
export function cleanKeywords(keywords: string): string {
  return joinUnique(keywords.split(/[,，、;；|\n]+/))
}

/** The words of a title: stand in for missing keywords. */
export function extractKeywords(title: string): string {
  const words = Array.from(segmenter.segment(title), ({ segment }) => segment)
  return joinUnique(words.filter(isKeyword).slice(0, maxKeywords))
}

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' })

function isKeyword(word: string): boolean {
  return word.length > 1 && /\p{L}/u.test(word) && !stopWords.has(word)
}

const stopWords = new Set([
  '以及',
  '关于',
  '我们',
  '一个',
  '一种',
  '这个',
  '进行',
  '有关',
  '如何',
  '什么',
  '其他',
  '附件',
  'the',
  'and',
  'for',
  'with',
])

function joinUnique(words: readonly string[]): string {
  const unique = [...new Set(words.map((word) => word.trim()).filter(Boolean))]
  let text = ''
  for (const word of unique) {
    const longer = text ? `${text},${word}` : word
    if (longer.length > maxLength) break
    text = longer
  }
  return text
}
