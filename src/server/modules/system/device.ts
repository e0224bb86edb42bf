import { readFile, stat, statfs } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { machine } from '#shared/contract/system.ts'
import type { Reply } from '#shared/endpoint.ts'

type Device = Reply<typeof machine.device>

export async function deviceOf(dataDir: string): Promise<Device> {
  const [cpu, memory, disk] = await Promise.all([processor(), memoryNow(), disks(dataDir)])
  return { cpu, memory, disk }
}

async function processor(): Promise<Device['cpu']> {
  const [first] = cpus()
  return {
    cores: availableParallelism(),
    model_name: first?.model.trim() ?? '',
    mhz: first?.speed ?? 0,
    percent: await busyPercent(),
  }
}

interface Sample {
  at: number
  busy: number
  all: number
}

const sampleMs = 1000
/** An older one would tell of a time that nobody asks about. */
const staleMs = 15_000
let latest: Sample | undefined
let measuring: Promise<number> | undefined

/** Over the time since the last question, or about a second when nobody has asked lately. All who ask share one answer. */
function busyPercent(): Promise<number> {
  measuring ??= measure().finally(() => {
    measuring = undefined
  })
  return measuring
}

async function measure(): Promise<number> {
  let before = latest
  if (!before || Date.now() - before.at > staleMs) before = sample()
  const rest = before.at + sampleMs - Date.now()
  if (rest > 0) await pause(rest)
  latest = sample()
  return percentOf(latest.busy - before.busy, latest.all - before.all)
}

function sample(): Sample {
  let [busy, all] = [0, 0]
  for (const { times } of cpus()) {
    const whole = times.user + times.nice + times.sys + times.irq + times.idle
    all += whole
    busy += whole - times.idle
  }
  return { at: Date.now(), busy, all }
}

/** A container has less than the machine: what it may use is what counts. */
async function memoryNow(): Promise<Device['memory']> {
  const limit = process.constrainedMemory()
  const limited = limit > 0 && limit < totalmem()
  const total = limited ? limit : totalmem()
  const available = Math.min(total, process.availableMemory() + (limited ? await givenBackAtNeed() : 0))
  const used = total - available
  return { total, available, used, free: available, percent: percentOf(used, total) }
}

/** Files that the kernel keeps in memory on the container's account, until somebody needs the room. */
async function givenBackAtNeed(): Promise<number> {
  const accounts = await readFile('/sys/fs/cgroup/memory.stat', 'utf8').catch(() => '')
  return Number(/^inactive_file (\d+)$/m.exec(accounts)?.[1] ?? 0)
}

async function disks(dataDir: string): Promise<Device['disk']> {
  const [data, root] = await Promise.all([stat(dataDir), stat('/')])
  const paths = data.dev === root.dev ? [dataDir] : [dataDir, '/']
  return Promise.all(paths.map(diskOf))
}

async function diskOf(path: string): Promise<Device['disk'][number]> {
  const { blocks, bfree, bavail, bsize } = await statfs(path)
  const [used, free] = [(blocks - bfree) * bsize, bavail * bsize]
  // What only root may still fill is neither used nor free.
  return { disk_name: path, total: blocks * bsize, used, free, percent: percentOf(used, used + free) }
}

function percentOf(part: number, whole: number): number {
  if (whole <= 0) return 0
  return Math.round(Math.min(1, Math.max(0, part / whole)) * 1000) / 10
}
