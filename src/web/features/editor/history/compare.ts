/** A paragraph of two versions of a text. */
export interface Change {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Beyond this many pairs of paragraphs, a comparison would hold up the page. */
const maxPairs = 4_000_000

/** The paragraphs of `before` and `after` in order, by their longest common subsequence. */
export function compareParagraphs(before: readonly string[], after: readonly string[]): Change[] {
  if (before.length * after.length > maxPairs) return [...toChanges('removed', before), ...toChanges('added', after)]
  const lengths = commonLengths(before, after)
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0
  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const [old = '', current = ''] = [before[i], after[j]]
    if (old === current) {
      changes.push({ kind: 'same', text: old })
      i += 1
      j += 1
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      changes.push({ kind: 'removed', text: old })
      i += 1
    } else {
      changes.push({ kind: 'added', text: current })
      j += 1
    }
  }
  return [...changes, ...toChanges('removed', before.slice(i)), ...toChanges('added', after.slice(j))]
}

/** How many paragraphs the rests of both texts have in common, from each position on. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const [row, next] = [rows[i], rows[i + 1]]
    if (!row || !next) continue
    for (let j = after.length - 1; j >= 0; j -= 1)
      row[j] = before[i] === after[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0)
  }
  return rows
}

function toChanges(kind: Change['kind'], texts: readonly string[]): Change[] {
  return texts.map((text) => ({ kind, text }))
}

const blocks = 'p, h1, h2, h3, h4, pre, li, td, th, img, video, [data-latex]'

/** The paragraphs of an article, pictures and formulas among them as words. */
export function paragraphsOf(html: string): string[] {
  const document = new DOMParser().parseFromString(html, 'text/html')
  return [...document.querySelectorAll(blocks)].flatMap((block) => {
    if (block.matches('img')) return [`［图片${block.getAttribute('alt') ? `：${block.getAttribute('alt')}` : ''}］`]
    if (block.matches('video')) return ['［视频］']
    if (block.matches('[data-latex]')) return [block.getAttribute('data-latex') ?? '']
    // The paragraphs inside a list item or a cell speak for it.
    const text = block.querySelector('p') ? '' : block.textContent.trim()
    return text === '' ? [] : [text]
  })
}
