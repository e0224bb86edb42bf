import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { client } from '../src/shared/client.ts'
import { articles } from '../src/shared/contract/articles.ts'
import { users } from '../src/shared/contract/users.ts'
import { cpuMs } from './server.ts'
import { benchPassword, startBenchSite } from './site.ts'

/**
 * How long others wait while one person attacks the site over four connections: the p99 of `/healthz`, which waits for
 * nothing but the event loop, beside each attack and without one.
 */

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } })
const connections = 4
const barMs = 100

const site = await startBenchSite()
const failures: string[] = []
try {
  await site.configure({ 'security.enable_captcha_login': 'false' })
  const anonymous = client({ origin: site.url, fetch: (request) => fetch(request) })
  const { token } = await anonymous(users.login, { username: 'admin', password: benchPassword })
  const owner = client({ origin: site.url, fetch: (request) => fetch(request), token: () => token })
  const formulas = '<span data-type="inline-math" data-latex="x^2+y_1=\\frac{a}{b}-\\sum_{i}^{n}"></span>'.repeat(9900)
  await owner(articles.create, { title: '公式', content: `<p>${formulas}</p>`, identifier: 'formulas' })
  const paragraphs = '<p>水的沸点是一百摄氏度。</p>'.repeat(9000)
  const { id } = await owner(articles.create, { title: '段落', content: paragraphs, identifier: 'paragraphs' })

  const random = () => Math.random().toString(36).slice(2)
  const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`
  const respell = (word: string) => word.replace(/./g, (letter) => (Math.random() < 0.5 ? letter : encoded(letter)))
  const page = (path: () => string) => async () => void (await (await fetch(site.url + path())).arrayBuffer())
  const write = (method: string, form: () => object) => async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${site.url}/api/v1/article`, { method, headers, body: JSON.stringify(form()) })
    await response.arrayBuffer()
  }
  const attacks = {
    'a large article, unknown query keys': page(() => `/article/formulas?u=${random()}`),
    'a large article, other spellings of its path': page(() => `/article/${respell('formulas')}`),
    'searches for random words': page(() => `/search?wd=${random()}`),
    'lists at random pages': page(() => `/category?page=${Math.ceil(Math.random() * 1e6)}`),
    'a large article by the API': page(() => '/api/v1/article?identifier=formulas'),
    'searches by the API': page(() => `/api/v1/document/search?wd=${'水的沸点'.repeat(100)}${random()}`),
    'articles that are refused': write('POST', () => ({ title: 'x', content: '<div>'.repeat(19_000) })),
    'articles that are saved': write('PUT', () => ({ id, title: random(), content: paragraphs })),
  }

  const quiet = await waitOfOthers(async () => {})
  console.log(`/healthz, p99 without an attack: ${quiet.toFixed(1)} ms`)
  for (const [name, request] of Object.entries(attacks)) {
    let requests = 0
    const cpuBefore = cpuMs(site.process())
    const p99 = await waitOfOthers(async () => {
      await request()
      requests += 1
    })
    const cpu = ((cpuMs(site.process()) - cpuBefore) / requests).toFixed(1)
    console.log(`${name}: p99 ${p99.toFixed(1)} ms (${(p99 / barMs).toFixed(2)} of the bar), CPU ${cpu} ms a request`)
    if (p99 > barMs) failures.push(name)
  }
} finally {
  site.stop()
}
console.log(failures.length === 0 ? 'all bars hold' : `MISSED: ${failures.join(', ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

/** The p99 of `/healthz` in another process while `attack` is repeated over all connections. */
async function waitOfOthers(attack: () => Promise<void>): Promise<number> {
  const visitor: ChildProcess = fork(resolve(import.meta.dirname, 'visitor.ts'), {
    env: { ...process.env, VISIT: `${site.url}/healthz` },
  })
  await once(visitor, 'message')
  const end = Date.now() + Number(values.seconds) * 1000
  const attacker = async () => {
    // A refusal is answered at once: an attacker gains nothing by asking faster than this.
    for (; Date.now() < end; await new Promise((next) => setTimeout(next, 2))) await attack()
  }
  await Promise.all(Array.from({ length: connections }, attacker))
  const report = once(visitor, 'message')
  visitor.send('enough')
  const [p99] = (await report) as [number]
  return p99
}
