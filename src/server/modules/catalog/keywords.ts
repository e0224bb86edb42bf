const mostWords = 10
const longest = 255

/** However people separate keywords, commas do. */
export function cleanKeywords(given: string): string {
  return joined(given.split(/[,，、;；|\n]+/))
}

/** What a title is about, for who gave no keywords. */
export function keywordsIn(title: string): string {
  const words = Array.from(segmenter.segment(title), ({ segment }) => segment)
  return joined(words.filter(isTelling).slice(0, mostWords))
}

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' })

function isTelling(word: string): boolean {
  return word.length > 1 && /\p{L}/u.test(word) && !fillers.has(word)
}

const fillers = new Set([
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

function joined(words: readonly string[]): string {
  const unique = [...new Set(words.map((word) => word.trim()).filter(Boolean))]
  let text = ''
  for (const word of unique) {
    const longer = text ? `${text},${word}` : word
    if (longer.length > longest) break
    text = longer
  }
  return text
}
