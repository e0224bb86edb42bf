import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** What is piped into the command. A terminal gives nothing. */
export async function readPipedInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString().trim()
}

/** Asks at a terminal; a hidden answer is not shown while it is typed. Otherwise reads what is piped in. */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) return readPipedInput()
  if (hidden) process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: hidden ? silent : process.stdout, terminal: true })
  try {
    return (await terminal.question(hidden ? '' : question)).trim()
  } finally {
    terminal.close()
    if (hidden) process.stdout.write('\n')
  }
}
