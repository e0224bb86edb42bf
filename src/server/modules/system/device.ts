import { readFile, stat, statfs } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { machine } from '#shared/contract/system.ts'
import type { Reply } from '#shared/endpoint.ts'

type Device = Reply<typeof machine.device>

export async function readDevice(dataDir: string, cpuSampler: CpuSampler): Promise<Device> {
  const [cpu, memory, disk] = await Promise.all([readCpu(cpuSampler), readMemory(), readDisks(dataDir)])
  return { cpu, memory, disk }
}

async function readCpu(cpuSampler: CpuSampler): Promise<Device['cpu']> {
  const [first] = cpus()
  return {
    cores: availableParallelism(),
    model_name: first?.model.trim() ?? '',
    mhz: first?.speed ?? 0,
    percent: await cpuSampler.busyPercent(),
  }
}

export interface CpuSampler {
  /** The load since the last call, or of the next second if that was long ago. Concurrent calls share a measurement. */
  busyPercent(): Promise<number>
}

interface CpuTimes {
  busy: number
  all: number
}

interface Sample extends CpuTimes {
  at: number
}

const sampleMs = 1000
const maxSampleAgeMs = 15_000

export function openCpuSampler(readTimes: () => CpuTimes = readCpuTimes): CpuSampler {
  let latest: Sample | undefined
  let measuring: Promise<number> | undefined

  const sample = (): Sample => ({ at: Date.now(), ...readTimes() })
  const measure = async (): Promise<number> => {
    const isRecent = latest && Date.now() - latest.at <= maxSampleAgeMs
    const before = latest && isRecent ? latest : sample()
    const rest = before.at + sampleMs - Date.now()
    if (rest > 0) await sleep(rest)
    latest = sample()
    return toPercent(latest.busy - before.busy, latest.all - before.all)
  }

  return {
    busyPercent() {
      measuring ??= measure().finally(() => {
        measuring = undefined
      })
      return measuring
    },
  }
}

function readCpuTimes(): CpuTimes {
  let [busy, all] = [0, 0]
  for (const { times } of cpus()) {
    const total = times.user + times.nice + times.sys + times.irq + times.idle
    all += total
    busy += total - times.idle
  }
  return { busy, all }
}

/** In a container, that of its cgroup. */
async function readMemory(): Promise<Device['memory']> {
  const limit = process.constrainedMemory()
  const limited = limit > 0 && limit < totalmem()
  const total = limited ? limit : totalmem()
  const available = Math.min(total, process.availableMemory() + (limited ? await readReclaimable() : 0))
  const used = total - available
  return { total, available, used, free: available, percent: toPercent(used, total) }
}

/** The page cache of the cgroup, which the kernel reclaims on demand. */
async function readReclaimable(): Promise<number> {
  const stats = await readFile('/sys/fs/cgroup/memory.stat', 'utf8').catch(() => '')
  return Number(/^inactive_file (\d+)$/m.exec(stats)?.[1] ?? 0)
}

async function readDisks(dataDir: string): Promise<Device['disk']> {
  const [data, root] = await Promise.all([stat(dataDir), stat('/')])
  const paths = data.dev === root.dev ? [dataDir] : [dataDir, '/']
  return Promise.all(paths.map(readDisk))
}

async function readDisk(path: string): Promise<Device['disk'][number]> {
  const { blocks, bfree, bavail, bsize } = await statfs(path)
  const [used, free] = [(blocks - bfree) * bsize, bavail * bsize]
  // Blocks reserved for root are neither used nor free.
  return { disk_name: path, total: blocks * bsize, used, free, percent: toPercent(used, used + free) }
}

function toPercent(part: number, total: number): number {
  if (total <= 0) return 0
  return Math.round(Math.min(1, Math.max(0, part / total)) * 1000) / 10
}
