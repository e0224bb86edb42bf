import { parseArgs } from 'node:util'
import type { Ctx } from '../context.ts'
import { isRepairable, repairCounter, type WrongCounter, findWrongCounters } from './check-counters.ts'
import { findBadFiles, findBrokenRenditions, repairRendition } from './check-files.ts'
import { findBrokenOrders } from './check-orders.ts'
import { findOrphans, removeFiles } from './check-orphans.ts'
import { type Command, UsageError } from './command.ts'

const help = `用法：
  npm run cli -- check               检查文件和计数，列出问题；有问题时退出码为 1
  npm run cli -- check --quick       只看文件在不在、大小对不对，不读取内容
  npm run cli -- check --repair      改正计数，重新转换缺少的页面，删除一天以前的无主文件

丢失或改变的原始文件无法由程序补回：请从备份中取回，或请作者重新上传。`

export const checkCommand: Command = {
  summary: '检查文件和计数，按需修复',
  help,
  wordless: true,
  async run(ctx, words) {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { repair: { type: 'boolean' }, quick: { type: 'boolean' } },
    })
    if (positionals.length > 0) throw new UsageError(help)
    const left = await checkSite(ctx, { ...values, say: (line) => console.log(line) })
    if (left > 0) process.exitCode = 1
  },
}

interface CheckOptions {
  repair?: boolean
  quick?: boolean
  say: (line: string) => void
}

/** Reports what is wrong; gives the number of faults that are left. */
export async function checkSite(ctx: Ctx, { repair = false, quick = false, say }: CheckOptions): Promise<number> {
  const left =
    (await checkFiles(ctx, { quick, say })) +
    (await checkRenditions(ctx, { repair, say })) +
    (await checkOrphans(ctx, { repair, say })) +
    (await checkCounters(ctx, { repair, say })) +
    (await checkOrders(ctx, say))
  say(left === 0 ? '检查完成：没有问题。' : `检查完成：还有 ${left} 个问题。${repair ? '' : '可以用 --repair 修复。'}`)
  return left
}

async function checkFiles(ctx: Ctx, { quick, say }: { quick: boolean; say: CheckOptions['say'] }): Promise<number> {
  const faults = { missing: '文件丢失', altered: '文件内容已改变' }
  let left = 0
  for await (const { fault, hash, name } of findBadFiles(ctx, { quick })) {
    say(`${faults[fault]}：${name}（${hash}），无法修复：请从备份中取回，或重新上传`)
    left += 1
  }
  return left
}

async function checkRenditions(ctx: Ctx, { repair, say }: Omit<CheckOptions, 'quick'>): Promise<number> {
  const notes = {
    found: '',
    queued: '，已安排重新转换',
    noSource: '，无法修复：没有可以转换的原始文件',
    unused: '，没有修复：除了回收站，没有文档用到它',
  }
  let left = 0
  for await (const rendition of findBrokenRenditions(ctx)) {
    const result = repair ? await repairRendition(ctx, rendition) : 'found'
    say(`转换结果不完整：${rendition.hash}${notes[result]}`)
    if (result !== 'queued') left += 1
  }
  return left
}

async function checkOrphans(ctx: Ctx, { repair, say }: Omit<CheckOptions, 'quick'>): Promise<number> {
  const notes = { found: '', removed: '，已删除', queued: '，已安排删除', kept: '，刚刚又有人用到，保留' }
  const orphans = await Array.fromAsync(findOrphans(ctx))
  const removed = repair && orphans.length > 0 ? await removeFiles(ctx, orphans) : undefined
  for (const { key, size } of orphans) say(`无主文件：${key}（${size} 字节）${notes[removed?.get(key) ?? 'found']}`)
  return removed ? 0 : orphans.length
}

async function checkCounters(ctx: Ctx, { repair, say }: Omit<CheckOptions, 'quick'>): Promise<number> {
  let left = 0
  for await (const wrong of findWrongCounters(ctx)) {
    const isRepaired = repair && isRepairable(wrong)
    if (isRepaired) await repairCounter(ctx, wrong)
    else left += 1
    say(`${describeCounter(wrong)}${isRepaired ? '，已改正' : repair ? '，无法修复：请核对流水' : ''}`)
  }
  return left
}

/** Nothing is repaired: money is a person's decision. */
async function checkOrders(ctx: Ctx, say: CheckOptions['say']): Promise<number> {
  let left = 0
  for await (const { what, orderNo } of findBrokenOrders(ctx)) {
    say(`${what}：订单 ${orderNo}，请在订单管理中核对`)
    left += 1
  }
  return left
}

function describeCounter({ counter, id, stored, actual }: WrongCounter): string {
  return `${counter.what}：编号 ${id} 记为 ${stored}，实为 ${actual}`
}
