import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from 'marked'

/** Quotes and lists in each other. Each level reads the text of all below it again. */
const maxDepth = 50
/** The cells that the rows of a table lack are added to them. */
const maxColumns = 200
/** What may begin or end markup inside a line: for each of them the others are tried, and the rest of the text is searched. */
const delimiters = /[*_[\]`~<\\]/g
/** In characters that are searched in the time of one trial. */
const searchSpeed = 50
/** In trials: for one text, and for all texts of a file. */
const maxEffort = 2e6
const maxTotalEffort = 15e6

/**
 * The tokens of a Markdown file. The parser's effort grows with the square of a text's length where markup is not closed:
 * such a text is one token, as it is written. Throws for what is nested too deeply. Some files still take very long: the task
 * has a time limit (`to-epub.ts`).
 */
export function lexMarkdown(text: string): Token[] {
  return new BoundedLexer({ gfm: true, tokenizer: new BoundedTokenizer() }).lex(text)
}

class BoundedLexer extends Lexer {
  private depth = 0
  private inlineDepth = 0
  private effortLeft = maxTotalEffort

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[]
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList
  override blockTokens(src: string, tokens: Token[] = [], isClipped = false): Token[] {
    if (this.depth >= maxDepth) throw new Error('nested too deeply')
    this.depth += 1
    const result = super.blockTokens(src, tokens, isClipped)
    this.depth -= 1
    return result
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const isNested = this.inlineDepth > 0
    if (this.inlineDepth >= maxDepth || (!isNested && !this.spend(src))) {
      tokens.push({ type: 'text', raw: src, text: src, escaped: false })
      return tokens
    }
    this.inlineDepth += 1
    const result = super.inlineTokens(src, tokens)
    this.inlineDepth -= 1
    return result
  }

  /** False for a text that would take too long. */
  private spend(src: string): boolean {
    const count = src.match(delimiters)?.length ?? 0
    const effort = count * (count + src.length / searchSpeed)
    if (effort > Math.min(maxEffort, this.effortLeft)) return false
    this.effortLeft -= effort
    return true
  }
}

class BoundedTokenizer extends Tokenizer {
  private quoteDepth = 0

  /** It calls itself for the lines that go on with a quote. */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (this.quoteDepth >= maxDepth) throw new Error('nested too deeply')
    this.quoteDepth += 1
    const token = super.blockquote(src)
    this.quoteDepth -= 1
    return token
  }

  override table(src: string): Tokens.Table | undefined {
    const end = src.indexOf('\n')
    const columns = end === -1 ? 0 : src.slice(0, end).split('|').length
    return columns > maxColumns ? undefined : super.table(src)
  }
}
