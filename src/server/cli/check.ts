import { parseArgs } from 'node:util'
import type { Ctx } from '../context.ts'
import { isMendable, mendCounter, type Wrong, wrongCounters } from './check-counters.ts'
import { badFiles, brokenRenditions, mendRendition } from './check-files.ts'
import { orphans, removeAll } from './check-orphans.ts'
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

interface Checking {
  repair?: boolean
  quick?: boolean
  say: (line: string) => void
}

/** Says what is wrong, and how many faults are left at the end. */
export async function checkSite(ctx: Ctx, { repair = false, quick = false, say }: Checking): Promise<number> {
  const left =
    (await checkFiles(ctx, { quick, say })) +
    (await checkRenditions(ctx, { repair, say })) +
    (await checkOrphans(ctx, { repair, say })) +
    (await checkCounters(ctx, { repair, say }))
  say(left === 0 ? '检查完成：没有问题。' : `检查完成：还有 ${left} 个问题。${repair ? '' : '可以用 --repair 修复。'}`)
  return left
}

async function checkFiles(ctx: Ctx, { quick, say }: { quick: boolean; say: Checking['say'] }): Promise<number> {
  const faults = { missing: '文件丢失', altered: '文件内容已改变' }
  let left = 0
  for await (const { fault, hash, name } of badFiles(ctx, { quick })) {
    say(`${faults[fault]}：${name}（${hash}），无法修复：请从备份中取回，或重新上传`)
    left += 1
  }
  return left
}

async function checkRenditions(ctx: Ctx, { repair, say }: Omit<Checking, 'quick'>): Promise<number> {
  const ends = {
    found: '',
    begun: '，已安排重新转换',
    sourceless: '，无法修复：没有可以转换的原始文件',
    unshown: '，没有修复：除了回收站，没有文档用到它',
  }
  let left = 0
  for await (const rendition of brokenRenditions(ctx)) {
    const end = repair ? await mendRendition(ctx, rendition) : 'found'
    say(`转换结果不完整：${rendition.hash}${ends[end]}`)
    if (end !== 'begun') left += 1
  }
  return left
}

async function checkOrphans(ctx: Ctx, { repair, say }: Omit<Checking, 'quick'>): Promise<number> {
  const ends = { found: '', removed: '，已删除', queued: '，已安排删除', kept: '，刚刚又有人用到，保留' }
  const found = await Array.fromAsync(orphans(ctx))
  const removed = repair && found.length > 0 ? await removeAll(ctx, found) : undefined
  for (const { key, size } of found) say(`无主文件：${key}（${size} 字节）${ends[removed?.get(key) ?? 'found']}`)
  return removed ? 0 : found.length
}

async function checkCounters(ctx: Ctx, { repair, say }: Omit<Checking, 'quick'>): Promise<number> {
  let left = 0
  for await (const wrong of wrongCounters(ctx)) {
    const isMended = repair && isMendable(wrong)
    if (isMended) await mendCounter(ctx, wrong)
    else left += 1
    say(`${described(wrong)}${isMended ? '，已改正' : repair ? '，无法修复：请核对流水' : ''}`)
  }
  return left
}

function described({ counter, id, found, actual }: Wrong): string {
  return `${counter.what}：编号 ${id} 记为 ${found}，实为 ${actual}`
}
