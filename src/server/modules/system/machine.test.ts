import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machine, settings } from '#shared/contract/system.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { look } from './build.ts'
import { checkRelease, checkReleaseQuietly, recentRelease } from './release.ts'
import { version } from '#server/version.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ RELEASE_REPOSITORY: 'someone/wendou' })
})
afterAll(() => site.close())

describe('the server’s state', () => {
  test('is what it has and how much of it is used', async () => {
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

  test('is told to many at once, without each of them waiting for the others', async () => {
    const begun = performance.now()
    await Promise.all(Array.from({ length: 20 }, () => site.root.call(machine.device)))
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  test('is for those who may see it', async () => {
    const staff = await site.staff('ConfigAPI/GetStats')
    expect(await refusal(staff.call(machine.device))).toMatchObject({ status: 403 })
    const holder = await site.staff('ConfigAPI/GetDeviceInfo')
    expect((await holder.call(machine.device)).cpu.cores).toBeGreaterThan(0)
  })
})

test('the licence is there to be read, in full', async () => {
  const licence = await site.root.call(machine.license)
  expect(licence.name).toBe('AGPL-3.0-or-later')
  expect(licence.title).toContain('GNU')
  expect(licence.text).toContain('GNU AFFERO GENERAL PUBLIC LICENSE')
})

test('the database has no mode to correct: the call answers', async () => {
  expect(await site.root.call(machine.sqlMode)).toEqual({})
  const staff = await site.staff('ConfigAPI/UpdateConfig')
  expect(await refusal(staff.call(machine.sqlMode))).toMatchObject({ status: 403 })
})

describe('newer versions', () => {
  let server: Server
  let origins: { github: string; gitee: string }
  /** What each publisher answers; one without an answer is out of order. */
  const answers: Record<string, object | undefined> = {}
  const asked: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      const publisher = request.url?.split('/')[1] ?? ''
      asked.push(publisher)
      const answer = answers[publisher]
      response.writeHead(answer ? 200 : 500).end(JSON.stringify(answer ?? {}))
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    origins = { github: `${origin}/github`, gitee: `${origin}/gitee` }
  })
  afterAll(() => server.close())
  const check = async () => checkRelease(await site.app.context(), { repository: 'someone/wendou', origins })

  test('are unknown at first, and looked for everywhere', async () => {
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

  test('are the latest that any publisher knows of, and kept', async () => {
    answers['gitee'] = { tag_name: 'v0.9.0', body: '旧', created_at: '2026-10-01T00:00:00Z' }
    answers['github'] = { tag_name: 'v1.0.0', name: '一', body: '# 新', published_at: '2026-11-01T00:00:00Z' }
    expect(await check()).toMatchObject({ tag_name: 'v1.0.0', name: '一', body: '# 新' })
    const known = await site.root.call(machine.release)
    expect(known).toMatchObject({ tag_name: 'v1.0.0', release_at: Date.UTC(2026, 10, 1) })
    expect(known.checked_at).toBeGreaterThan(0)
  })

  test('are asked for by hand once a minute at most, and anew where the owner wants to look elsewhere', async () => {
    const place = { repository: 'someone/wendou', origins }
    const ask = async () => {
      asked.length = 0
      expect(await recentRelease(await site.app.context(), place)).toMatchObject({ tag_name: 'v1.0.0' })
      return asked.length
    }
    expect(await ask()).toBe(0)
    site.pass(60_000)
    expect([await ask(), await ask()]).toEqual([2, 0])
    await site.root.call(machine.setReleaseSource, { source: 'auto' })
    expect(await ask()).toBe(2)
  })

  test('are found although a publisher is out of order; with none left the reason is told, and what is known stays', async () => {
    delete answers['github']
    expect(await check()).toMatchObject({ tag_name: 'v0.9.0' })
    delete answers['gitee']
    await expect(check()).rejects.toMatchObject({ reason: 'releases.unreachable', status: 503 })
    expect(await site.root.call(machine.release)).toMatchObject({ tag_name: 'v0.9.0' })
  })

  test('are looked for where the owner wants, or nowhere', async () => {
    answers['gitee'] = { tag_name: 'v0.9.0' }
    await site.root.call(machine.setReleaseSource, { source: 'gitee' })
    asked.length = 0
    await check()
    expect(asked).toEqual(['gitee'])
    await site.root.call(machine.setReleaseSource, { source: 'none' })
    asked.length = 0
    expect(await refusal(site.root.call(machine.checkRelease))).toMatchObject({ reason: 'releases.off' })
    await checkReleaseQuietly(await site.app.context(), { repository: 'someone/wendou', origins })
    expect(asked).toEqual([])
    expect((await site.root.call(machine.release)).source).toBe('none')
    const wrong = site.send('PUT', '/api/v1/release/source', { token: site.root.token, body: { source: 'elsewhere' } })
    expect((await wrong).status).toBe(400)
    await site.root.call(machine.setReleaseSource, { source: 'auto' })
  })

  test('may be passed over, one by one', async () => {
    await site.root.call(machine.ignoreRelease, { tag_name: 'v0.9.0' })
    expect((await site.root.call(machine.release)).ignore).toBe('v0.9.0')
  })

  test('are nothing that the settings’ form could change, and nothing for members', async () => {
    const config = [{ category: 'release', name: 'tag_name', value: 'v9' }]
    expect(await refusal(site.root.call(settings.update, { config }))).toMatchObject({ status: 403 })
    const member = await site.member()
    for (const endpoint of [machine.release, machine.checkRelease, machine.license])
      expect(await refusal(member.call(endpoint))).toMatchObject({ status: 403 })
  })

  test('are not asked for anywhere while nobody has said where they are published', async () => {
    const plain = await openSite()
    try {
      expect((await plain.root.call(machine.release)).repository).toBe('')
      const refused = await refusal(plain.root.call(machine.checkRelease))
      expect(refused).toMatchObject({ reason: 'releases.noRepository', status: 400 })
      expect(refused.message).toContain('未设置发布仓库')
      asked.length = 0
      await checkReleaseQuietly(await plain.app.context(), { repository: '', origins })
      expect(asked).toEqual([])
    } finally {
      await plain.close()
    }
  })
})

test('the commit that runs is read where there is one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'wendou-build-'))
  try {
    expect(await look(root)).toEqual({ hash: '', build_at: null })
    await mkdir(join(root, '.git/refs/heads'), { recursive: true })
    await mkdir(join(root, 'build/server'), { recursive: true })
    const commit = 'a1'.repeat(20)
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
    await writeFile(join(root, '.git/packed-refs'), `# pack-refs\n${commit} refs/heads/main\n`)
    await writeFile(join(root, 'build/server/index.js'), '')
    expect((await look(root)).hash).toBe(commit)
    await writeFile(join(root, '.git/refs/heads/main'), `${'b2'.repeat(20)}\n`)
    const { hash, build_at } = await look(root)
    expect(hash).toBe('b2'.repeat(20))
    expect(build_at).toBeGreaterThan(0)
    await writeFile(join(root, '.git/HEAD'), `${'c3'.repeat(20)}\n`)
    expect((await look(root)).hash).toBe('c3'.repeat(20))
  } finally {
    await rm(root, { recursive: true })
  }
})
