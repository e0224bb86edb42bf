/** Tokens that are no character. */
const anyChar = -1
const anyChars = -2
const anything = -3
/** `**` and a slash are two tokens: the choice between folders and none, and the folders with their last slash. */
const foldersOrNone = -4
const folders = -5

const slash = '/'.charCodeAt(0)

/**
 * Matches whole texts by a glob: `*` and `?` stop at a slash, `**` does not. Follows all ways to match at once, so that
 * the time is linear in the text, however many stars there are.
 */
export function globMatcher(glob: string): (text: string) => boolean {
  const tokens = tokenize(glob)
  // Most texts differ here already.
  const prefix = /^[^*?]*/.exec(glob)?.[0] ?? ''
  const suffix = /[^*?/]*$/.exec(glob)?.[0] ?? ''
  const states = new States(tokens)
  return (text) => {
    if (!text.startsWith(prefix) || !text.endsWith(suffix)) return false
    states.start()
    for (let at = 0; at < text.length && states.count > 0; at += 1) states.step(text.charCodeAt(at))
    return states.has(tokens.length)
  }
}

function tokenize(glob: string): number[] {
  return Array.from(glob.matchAll(/(?<=^|\/)\*{2,}\/|\*+|[^*]/g)).flatMap(([part]) => {
    if (part === '?') return anyChar
    if (part === '*') return anyChars
    if (!part.startsWith('*')) return part.charCodeAt(0)
    return part.endsWith('/') ? [foldersOrNone, folders] : anything
  })
}

/** How far the glob may have been matched: the numbers of tokens that are behind. */
class States {
  count = 0
  readonly #tokens: readonly number[]
  #current: Int32Array
  #next: Int32Array
  /** The step at which a state was entered last: it is entered once a step. */
  readonly #entered: Int32Array
  #step = 0

  constructor(tokens: readonly number[]) {
    this.#tokens = tokens
    this.#current = new Int32Array(tokens.length + 1)
    this.#next = new Int32Array(tokens.length + 1)
    this.#entered = new Int32Array(tokens.length + 1)
  }

  start(): void {
    this.#entered.fill(0)
    this.#step = 1
    this.count = this.#enter(0, 0)
    this.#swap()
  }

  step(char: number): void {
    let count = 0
    this.#step += 1
    for (let at = 0; at < this.count; at += 1) {
      const state = this.#current[at] ?? 0
      const token = this.#tokens[state]
      const isSlash = char === slash
      if (token === anything || token === folders || (token === anyChars && !isSlash)) count = this.#enter(state, count)
      if (token === char || (token === anyChar && !isSlash) || (token === folders && isSlash)) {
        count = this.#enter(state + 1, count)
      }
    }
    this.count = count
    this.#swap()
  }

  has(state: number): boolean {
    return this.#current.subarray(0, this.count).includes(state)
  }

  #enter(state: number, count: number): number {
    if (this.#entered[state] === this.#step) return count
    this.#entered[state] = this.#step
    this.#next[count] = state
    const token = this.#tokens[state]
    let added = count + 1
    // A star may stand for nothing: the state behind it is entered with it.
    if (token === anyChars || token === anything || token === foldersOrNone) added = this.#enter(state + 1, added)
    return token === foldersOrNone ? this.#enter(state + 2, added) : added
  }

  #swap(): void {
    const current = this.#current
    this.#current = this.#next
    this.#next = current
  }
}
