import { group, list, number, text, toggle } from '../setting-fields.ts'

export const spider = group('采集设置', {
  enable: toggle('启用采集', false, {
    help: '请只采集您有权使用的内容：来源网站的条款和版权由您负责遵守。文档会保留来源名称和链接',
  }),
  concurrency: number('同时采集的网站数', 2, { min: 1, max: 8, columns: 12, help: '对每个网站同时只有一个连接' }),
  delay_ms: number('两次请求的间隔（毫秒）', 1000, {
    min: 0,
    max: 600_000,
    columns: 12,
    help: '对方的 Crawl-delay 更长时以对方为准；低于 1000 只适合自己的网站',
  }),
  max_page_size: number('网页最大体积（MB）', 5, { min: 1, max: 50, columns: 12 }),
  bytes_every_day: number('每天最多下载（MB）', 0, { min: 0, columns: 12, help: '0 表示不限' }),
  user_agent: text('User-Agent', '', {
    columns: 12,
    help: '留空时为 WendouBot/版本，设置了网站域名时附上说明页 /spider 的网址；robots.txt 按斜杠前的名字判断',
  }),
  strict_robots: toggle('读取 robots.txt 被拒绝时不采集', false, {
    columns: 12,
    help: '对方对 robots.txt 的响应是 401 或 403 时，标准允许采集',
  }),
  private_hosts: list('允许的内网主机', [], {
    help: '如 192.168.1.5 或 wiki.lan:8080，多个用逗号分开；其他内网地址一律不访问',
  }),
  log_days: number('采集日志保留天数', 30, { min: 1, max: 365, columns: 12 }),
})
