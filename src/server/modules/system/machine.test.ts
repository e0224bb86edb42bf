import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settings } from '#shared/contract/settings.ts'
import { machine } from '#shared/contract/system.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { readBuild } from './build.ts'
import { openCpuSampler } from './device.ts'
import { checkRelease, checkReleaseQuietly, getRecentRelease } from './release.ts'
import { version } from '#server/version.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ RELEASE_REPOSITORY: 'someone/wendou' })
})
afterAll(() => site.close())

describe('the server’s state', () => {
  test('is its hardware and its usage', async () => {
    const { cpu, memory, disk } = await site.root.call(machine.device)
    expect(cpu.cores).toBeGreaterThan(0)
    expect(disk.length).toBeGreaterThan(0)
    for (const { total, used, free, percent } of [memory, ...disk]) {
      expect(total).toBeGreaterThan(1_000_000)
      expect(used + free).toBeLessThanOrEqual(total)
      expect(percent).toBeGreaterThan(0)
      expect(percent).toBeLessThanOrEqual(100)
    }
    expect(cpu.percent).toBeGreaterThanOrEqual(0)
    expect(cpu.percent).toBeLessThanOrEqual(100)
  })

  test('is measured once for concurrent requests', async () => {
    let reads = 0
    const sampler = openCpuSampler(() => {
      reads += 1
      return { busy: reads * 30, all: reads * 100 }
    })
    const percents = await Promise.all(Array.from({ length: 20 }, () => sampler.busyPercent()))
    expect(new Set(percents)).toEqual(new Set([30]))
    expect(reads).toBe(2)
    expect(await sampler.busyPercent()).toBe(30)
    expect(reads).toBe(3)
  })

  test('needs the permission', async () => {
    const staff = await site.staff('ConfigAPI/GetStats')
    expect(await refusal(staff.call(machine.device))).toMatchObject({ status: 403 })
    const holder = await site.staff('ConfigAPI/GetDeviceInfo')
    expect((await holder.call(machine.device)).cpu.cores).toBeGreaterThan(0)
  })
})

test('staff see which version and commit runs, and when it was built', async () => {
  const staff = await site.staff('DocumentAPI/ListDocument')
  const { hash, build_at } = await readBuild(process.cwd())
  expect(await staff.call(machine.about)).toEqual({ version, hash, build_at })
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
})

test('the licence is given in full', async () => {
  const licence = await site.root.call(machine.license)
  expect(licence.name).toBe('AGPL-3.0-or-later')
  expect(licence.title).toContain('GNU')
  expect(licence.text).toContain('GNU AFFERO GENERAL PUBLIC LICENSE')
})

test('the call to correct the database mode does nothing, and is for root', async () => {
  expect(await site.root.call(machine.sqlMode)).toEqual({})
  const staff = await site.staff('ConfigAPI/UpdateConfig')
  expect(await refusal(staff.call(machine.sqlMode))).toMatchObject({ status: 403 })
})

describe('newer versions', () => {
  let server: Server
  let origins: { github: string; gitee: string }
  /** The reply of each publisher; without one it fails. */
  const replies: Record<string, object | undefined> = {}
  const requests: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      const publisher = request.url?.split('/')[1] ?? ''
      requests.push(publisher)
      const reply = replies[publisher]
      response.writeHead(reply ? 200 : 500).end(JSON.stringify(reply ?? {}))
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    origins = { github: `${origin}/github`, gitee: `${origin}/gitee` }
  })
  afterAll(() => server.close())
  const check = async () => checkRelease(await site.app.context(), { repository: 'someone/wendou', origins })

  test('are unknown at first, and checked at all publishers', async () => {
    expect(await site.root.call(machine.release)).toEqual({
      tag_name: '',
      name: '',
      body: '',
      release_at: null,
      ignore: '',
      source: 'auto',
      current: version,
      repository: 'someone/wendou',
      checked_at: null,
    })
  })

  test('are the latest of all publishers, and stored', async () => {
    replies['gitee'] = { tag_name: 'v0.9.0', body: '旧', created_at: '2026-10-01T00:00:00Z' }
    replies['github'] = { tag_name: 'v1.0.0', name: '一', body: '# 新', published_at: '2026-11-01T00:00:00Z' }
    expect(await check()).toMatchObject({ tag_name: 'v1.0.0', name: '一', body: '# 新' })
    const stored = await site.root.call(machine.release)
    expect(stored).toMatchObject({ tag_name: 'v1.0.0', release_at: Date.UTC(2026, 10, 1) })
    expect(stored.checked_at).toBeGreaterThan(0)
  })

  test('are fetched for staff at most once a minute, and again after the source was changed', async () => {
    const config = { repository: 'someone/wendou', origins }
    const countRequests = async () => {
      requests.length = 0
      expect(await getRecentRelease(await site.app.context(), config)).toMatchObject({ tag_name: 'v1.0.0' })
      return requests.length
    }
    expect(await countRequests()).toBe(0)
    site.advanceClock(60_000)
    expect([await countRequests(), await countRequests()]).toEqual([2, 0])
    await site.root.call(machine.setReleaseSource, { source: 'auto' })
    expect(await countRequests()).toBe(2)
  })

  test('are found although a publisher fails; if all fail, the reason is reported and the stored release stays', async () => {
    delete replies['github']
    expect(await check()).toMatchObject({ tag_name: 'v0.9.0' })
    delete replies['gitee']
    await expect(check()).rejects.toMatchObject({ reason: 'releases.unreachable', status: 503 })
    expect(await site.root.call(machine.release)).toMatchObject({ tag_name: 'v0.9.0' })
  })

  test('are checked at the chosen source, or not at all', async () => {
    replies['gitee'] = { tag_name: 'v0.9.0' }
    await site.root.call(machine.setReleaseSource, { source: 'gitee' })
    requests.length = 0
    await check()
    expect(requests).toEqual(['gitee'])
    await site.root.call(machine.setReleaseSource, { source: 'none' })
    requests.length = 0
    expect(await refusal(site.root.call(machine.checkRelease))).toMatchObject({ reason: 'releases.off' })
    await checkReleaseQuietly(await site.app.context(), { repository: 'someone/wendou', origins })
    expect(requests).toEqual([])
    expect((await site.root.call(machine.release)).source).toBe('none')
    const wrong = site.send('PUT', '/api/v1/release/source', { token: site.root.token, body: { source: 'elsewhere' } })
    expect((await wrong).status).toBe(400)
    await site.root.call(machine.setReleaseSource, { source: 'auto' })
  })

  test('can be dismissed', async () => {
    await site.root.call(machine.ignoreRelease, { tag_name: 'v0.9.0' })
    expect((await site.root.call(machine.release)).ignore).toBe('v0.9.0')
  })

  test('cannot be changed by the settings form, and are not for members', async () => {
    const config = [{ category: 'release', name: 'tag_name', value: 'v9' }]
    expect(await refusal(site.root.call(settings.update, { config }))).toMatchObject({ status: 403 })
    const member = await site.member()
    for (const endpoint of [machine.about, machine.release, machine.checkRelease, machine.license])
      expect(await refusal(member.call(endpoint))).toMatchObject({ status: 403 })
  })

  test('are not requested while no address for releases is configured; a client can show that', async () => {
    const plain = await openSite()
    try {
      for (const endpoint of [machine.release, machine.checkRelease]) {
        const release = await plain.root.call(endpoint)
        expect(release).toMatchObject({ repository: '', tag_name: version, current: version, checked_at: null })
        expect(release.body).toContain('未设置发布仓库')
      }
      requests.length = 0
      await checkReleaseQuietly(await plain.app.context(), { repository: '', origins })
      expect(requests).toEqual([])
    } finally {
      await plain.close()
    }
  })
})

test('the current commit is read from the Git folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'wendou-build-'))
  try {
    expect(await readBuild(root)).toEqual({ hash: '', build_at: null, repository: '' })
    await mkdir(join(root, '.git/refs/heads'), { recursive: true })
    await mkdir(join(root, 'build/server'), { recursive: true })
    const commit = 'a1'.repeat(20)
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
    await writeFile(join(root, '.git/packed-refs'), `# pack-refs\n${commit} refs/heads/main\n`)
    await writeFile(join(root, 'build/server/index.js'), '')
    expect((await readBuild(root)).hash).toBe(commit)
    await writeFile(join(root, '.git/refs/heads/main'), `${'b2'.repeat(20)}\n`)
    const { hash, build_at } = await readBuild(root)
    expect(hash).toBe('b2'.repeat(20))
    expect(build_at).toBeGreaterThan(0)
    for (const [address, repository] of [
      ['https://github.com/someone/wendou.git', 'someone/wendou'],
      ['git@gitee.com:someone/wen.dou.git', 'someone/wen.dou'],
      ['https://git.example.com/someone/wendou', ''],
    ]) {
      await writeFile(join(root, '.git/config'), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${address}\n`)
      expect((await readBuild(root)).repository).toBe(repository)
    }
    await writeFile(join(root, '.git/HEAD'), `${'c3'.repeat(20)}\n`)
    expect((await readBuild(root)).hash).toBe('c3'.repeat(20))
  } finally {
    await rm(root, { recursive: true })
  }
})
