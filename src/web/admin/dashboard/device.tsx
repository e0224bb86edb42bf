import { Progress } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatSize } from '#shared/format.ts'
import { Block, Trouble } from '#web/admin/dashboard/block.tsx'
import { useLive } from '#web/admin/dashboard/live.ts'
import { api } from '#web/lib/api.ts'

type Device = Reply<typeof contract.machine.device>

const pace = { everyMs: 5000, retryMs: 30_000 }
/** From here on somebody should look. */
const [high, full] = [80, 92]

/** The server's state, as it is now. */
export function DeviceBlock() {
  const { data, problem, retry } = useLive(() => api(contract.machine.device), pace)
  const answer = { data, problem: data ? undefined : problem, retry }
  return (
    <Block title="服务器状态" answer={answer} rows={3} extra={data && !problem && <Pulse />}>
      {(device) => (
        <>
          {problem && <Trouble title="暂时无法更新，每 30 秒重试一次" reason={problem} retry={retry} />}
          <Gauges device={device} />
        </>
      )}
    </Block>
  )
}

function Pulse() {
  return <span className="wa-quiet">每 5 秒更新</span>
}

function Gauges({ device: { cpu, memory, disk } }: { device: Device }) {
  return (
    <ul className="wd-gauges">
      <Gauge name="处理器" percent={cpu.percent} words={`${cpu.cores} 核`} more={cpu.model_name} />
      <Gauge
        name="内存"
        percent={memory.percent}
        words={`${formatSize(memory.used)} / ${formatSize(memory.total)}`}
        more={`可用 ${formatSize(memory.available)}`}
      />
      {disk.map(({ disk_name, used, free, percent }) => (
        <Gauge
          key={disk_name}
          name={disk_name === '/' ? '系统盘' : '数据盘'}
          percent={percent}
          words={`可用 ${formatSize(free)}`}
          more={`已用 ${formatSize(used)}，${disk_name}`}
        />
      ))}
    </ul>
  )
}

function Gauge({ name, percent, words, more }: { name: string; percent: number; words: string; more: string }) {
  return (
    <li>
      <Progress
        type="dashboard"
        size={104}
        percent={percent}
        strokeColor={toneOf(percent)}
        railColor="var(--sunken)"
        format={percentWords}
        aria-label={`${name}已用`}
      />
      <b>{name}</b>
      <span>{words}</span>
      <span className="wa-quiet">{more}</span>
    </li>
  )
}

function percentWords(percent = 0) {
  return <span className="wd-gauge-value">{percent.toFixed(percent < 10 ? 1 : 0)}%</span>
}

function toneOf(percent: number): string {
  if (percent >= full) return 'var(--danger)'
  return percent >= high ? 'var(--warning)' : 'var(--accent)'
}
