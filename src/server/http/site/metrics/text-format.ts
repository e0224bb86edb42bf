export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  values: readonly Sample[]
}

export interface Sample {
  /** Added to the name: the parts of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count'
  /** Of low cardinality: each combination is a series of its own. */
  labels?: Record<string, string>
  value: number
}

/** Prometheus' text format, version 0.0.4. */
export function exposition(metrics: readonly Metric[]): string {
  return metrics.map(lines).join('')
}

function lines({ name, help, type, values }: Metric): string {
  const head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
  return head + values.map(({ suffix = '', labels, value }) => `${name}${suffix}${braced(labels)} ${value}\n`).join('')
}

function braced(labels: Record<string, string> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
