import * as z from 'zod/mini'
import { get, permission, post, put } from '../endpoint.ts'
import { count, flag, none, text, unsetTime, worded } from '../fields.ts'

const Figures = z.object({ total: z.number(), used: z.number(), free: z.number(), percent: z.number() })
const Release = z.object({
  tag_name: z.string(),
  name: z.string(),
  body: z.string(),
  release_at: unsetTime,
  /** The release that staff have dismissed. */
  ignore: z.string(),
  source: z.string(),
  current: z.string(),
  /** Where releases are published, as owner/name; empty when it is not configured. */
  repository: z.string(),
  checked_at: unsetTime,
})

/** The server's hardware, and newer versions. */
export const machine = {
  about: get('/about', {
    summary: '正在运行的版本和提交',
    access: 'staff',
    input: none,
    reply: z.object({ version: z.string(), hash: z.string(), build_at: unsetTime }),
  }),
  device: get('/device', {
    summary: '服务器的处理器、内存和磁盘',
    access: permission('ConfigAPI/GetDeviceInfo'),
    input: none,
    reply: z.object({
      cpu: z.object({ cores: count(), model_name: z.string(), mhz: z.number(), percent: z.number() }),
      memory: z.extend(Figures, { available: z.number() }),
      disk: z.array(z.extend(Figures, { disk_name: z.string() })),
    }),
  }),
  license: get('/license', {
    summary: '软件的许可证',
    access: 'staff',
    input: none,
    reply: z.object({ name: z.string(), title: z.string(), text: z.string() }),
  }),
  release: get('/release', { summary: '已知的最新版本', access: 'staff', input: none, reply: Release }),
  checkRelease: post('/release', { summary: '现在查一次新版本', access: 'staff', input: none, reply: Release }),
  setReleaseSource: put('/release/source', {
    summary: '从哪里查新版本',
    access: 'staff',
    input: z.object({
      source: worded(z.enum(['none', 'auto', 'gitee', 'github'], '来源只能是 none、auto、gitee 或 github'), {
        none: '不查',
        auto: '自动选择',
        gitee: 'Gitee',
        github: 'GitHub',
      }),
    }),
    reply: none,
  }),
  ignoreRelease: put('/release/ignore', {
    summary: '不再提示某个版本',
    access: 'staff',
    input: z.object({ tag_name: text(64, 1) }),
    reply: none,
  }),
  sqlMode: put('/sqlmode', {
    summary: '修正数据库模式：没有需要修正的，只为兼容而保留',
    access: 'root',
    input: none,
    reply: none,
  }),
}

const Tool = z.object({
  name: z.string(),
  description: z.string(),
  cmd: z.string(),
  is_required: flag,
  is_installed: flag,
  version: z.string(),
  error: z.string(),
})

export const environment = {
  envs: get('/envs', {
    summary: '转换程序是否齐备',
    access: permission('ConfigAPI/GetEnvs'),
    input: none,
    reply: z.object({
      envs: z.array(z.extend(Tool, { checked_at: unsetTime })),
    }),
  }),
  workers: get('/workers', {
    summary: '最近一分钟有消息的工作进程，以及它们各自找到的转换程序',
    access: permission('ConfigAPI/GetEnvs'),
    input: none,
    reply: z.object({
      worker: z.array(
        z.object({
          host: z.string(),
          pid: count(),
          version: z.string(),
          started_at: unsetTime,
          seen_at: unsetTime,
          /** Empty while the worker has not looked yet. */
          tool: z.array(Tool),
          tools_checked_at: unsetTime,
        }),
      ),
    }),
  }),
}
