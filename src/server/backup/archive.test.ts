import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { tempFolder } from '../testing/folder.ts'
import { type Archive, openArchive, partialPath, sweepPartials } from './archive.ts'
import { entryNames, formatVersion, type Head, type Manifest, partName, storagePrefix } from './format.ts'
import { openBackup } from './read.ts'
import { entryHead } from './tar.ts'

const head: Head = {
  product: 'wendou',
  format: formatVersion,
  version: '0.0.0',
  made_at: 0,
  engine: 'sqlite',
  schema: [],
}
const emptyManifest = { tables: {}, last_ids: {}, purged: [], renewed: [], missing: [], altered: [] }

test('thousands of files, also empty ones and long names, are read back as they were written', async () => {
  const path = join(tempFolder(), 'many.tar')
  const archive = await openArchive(path, Date.now())
  await archive.add(entryNames.head, Buffer.from(JSON.stringify(head)))
  const longKey = `renditions/aa/bb/${'a'.repeat(64)}/1794763035587/lines/12345.json.gz`
  const keys = [...Array.from({ length: 4100 }, (_, n) => `files/${n}`), longKey]
  for (const [n, key] of keys.entries()) await archive.add(storagePrefix + key, Buffer.alloc(n % 600, 'x'))
  expect(existsSync(path)).toBe(false)
  await archive.finish({ ...head, ...emptyManifest, files: { count: keys.length, bytes: 0 } })
  expect(readdirSync(dirname(path))).toEqual(['many.tar'])

  const backup = await openBackup(path)
  expect(backup.manifest.sums).toHaveLength(3)
  const read = (await Array.fromAsync(backup.files())).map(({ key, size }) => [key, size])
  await backup.close()
  expect(read).toEqual(keys.map((key, n) => [key, n % 600]))
})

test('tar and sha256sum can read an archive', async () => {
  const folder = tempFolder()
  const path = join(folder, 'site.tar')
  const archive = await openArchive(path, Date.now())
  await archive.add(entryNames.head, Buffer.from(JSON.stringify(head)))
  const name = `${storagePrefix}renditions/aa/bb/${'a'.repeat(64)}/1794763035587/lines/12345.json.gz`
  await archive.add(name, Buffer.from('hello'))
  await archive.finish({ ...head, ...emptyManifest, files: { count: 1, bytes: 5 } })
  const { status: exitCode, stdout } = spawnSync('tar', ['-xOf', path, name])
  expect(exitCode).toBe(0)
  expect(String(stdout)).toBe('hello')
  mkdirSync(join(folder, 'x'))
  spawnSync('tar', ['-xf', path, '-C', join(folder, 'x')])
  const { status: sumsExitCode } = spawnSync('sha256sum', ['-c', '--quiet', 'sums/000001.sha256', 'manifest.sha256'], {
    cwd: join(folder, 'x'),
  })
  expect(sumsExitCode).toBe(0)
})

test('a forged backup with right checksums is refused with a message', async () => {
  const refused = (archive: Promise<string>) => expect(archive.then((path) => openBackup(path))).rejects
  const outside = `${storagePrefix}../outside`
  await refused(forge((archive) => archive.add(outside, Buffer.from('x')))).toThrow(`已损坏（${outside}）`)
  const wrongs: Partial<Manifest>[] = [
    { last_ids: { user: 1.5 } },
    { last_ids: { pg_class: 1 } },
    { schema: ['0001-foundation'] },
  ]
  for (const wrong of wrongs) await refused(forge(async () => {}, wrong)).toThrow('已损坏（manifest.json）')

  const zeros = gzipSync(Buffer.alloc(16 * 1024 * 1024))
  const bodies = [
    Buffer.from('no gzip'),
    gzipSync('no json'),
    gzipSync('{"id":{}}'),
    Buffer.concat(Array(17).fill(zeros)),
  ]
  for (const body of bodies) {
    const backup = await openBackup(await forge((archive) => archive.add(partName('user', 1), body)))
    await expect(Array.fromAsync(backup.rows('user'))).rejects.toThrow('已损坏（tables/user/000001.ndjson.gz）')
    await backup.close()
  }
})

test('a size that exceeds the octal digits is written as GNU tar does', () => {
  const size = 20 * 1024 ** 3
  const bytes = entryHead('storage/large', size, 0)
  expect(bytes[124]).toBe(0x80)
  expect(bytes.readBigUInt64BE(128)).toBe(BigInt(size))
  expect(entryHead('storage/large', 8 * 1024 ** 3 - 1, 0).toString('latin1', 124, 135)).toBe('77777777777')
})

test('the files of a killed backup are removed after a day, and no others', async () => {
  const folder = tempFolder()
  const partial = partialPath(join(folder, 'site.tar'))
  const otherFiles = ['site.tar', '.hidden', '.film.mkv.4711.partial'].map((name) => join(folder, name))
  const names = [partial, `${partial}.list`, ...otherFiles]
  const long = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
  for (const name of names) {
    writeFileSync(name, '')
    utimesSync(name, long, long)
  }
  const fresh = partialPath(join(folder, 'now.tar'))
  writeFileSync(fresh, '')
  await sweepPartials(folder)
  expect(names.map((name) => existsSync(name))).toEqual([false, false, true, true, true])
  expect(existsSync(fresh)).toBe(true)
})

/** A backup with only what `fill` adds, and with changes of its manifest. */
async function forge(fill: (archive: Archive) => Promise<void>, changes: Partial<Manifest> = {}): Promise<string> {
  const path = join(tempFolder(), 'forged.tar')
  const archive = await openArchive(path, Date.now())
  await archive.add(entryNames.head, Buffer.from(JSON.stringify(head)))
  await fill(archive)
  await archive.finish({ ...head, ...emptyManifest, files: { count: 0, bytes: 0 }, ...changes })
  return path
}
