import type { spiderUrls } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { addStaffUrls } from '../crawl/links.ts'
import { parseFullAddress } from '../sources/addresses.ts'
import { assertSpiderEnabled } from '../spider.enabled.ts'

const maxAddresses = 10_000
/** Of those that are wrong, as many as a person can look at. */
const shownWrong = 100
const shownLength = 200

/** Addresses that staff have pasted, one a line; what can be read is taken. */
export async function pasteUrls(
  ctx: MemberCtx,
  { url: text }: Input<typeof spiderUrls.create>,
): Promise<Reply<typeof spiderUrls.create>> {
  assertSpiderEnabled(ctx)
  const lines = readLines(text)
  if (lines.length > maxAddresses) throw errors.spider.tooManyAddresses(maxAddresses).at('url')
  const addresses = new Set<string>()
  const wrong = new Set<string>()
  for (const line of lines) {
    const address = parseFullAddress(line)
    if (address) addresses.add(address.href)
    else wrong.add(line.slice(0, shownLength))
  }
  if (addresses.size === 0) throw errors.spider.noAddresses().at('url', nameWrong([...wrong]))
  return transaction(ctx, async (ctx) => {
    const { created, known } = await addStaffUrls(ctx, [...addresses], ctx.viewer.id)
    ctx.audit?.({ ids: [], change: `新增 ${created} 个网址，${known} 个已有: ${[...addresses].slice(0, 3).join(' ')}` })
    return { created, known, wrong: [...wrong].slice(0, shownWrong), wrong_count: wrong.size }
  })
}

/** Without empty lines and comments. */
function readLines(text: string): string[] {
  return text
    .split(/\r?\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function nameWrong(wrong: readonly string[]): string | undefined {
  if (wrong.length === 0) return undefined
  return `${errors.spider.addressWrong().message}：${wrong.slice(0, 3).join('，')}`
}
