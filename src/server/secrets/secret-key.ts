import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, minSecretKeyLength } from '../config.ts'
import { type Cipher, createCipher, type SecretKey, toSecretKey } from './cipher.ts'

type KeyConfig = Pick<Config, 'dataDir' | 'secretKeys'>

/** The cipher of a site. Without SECRET_KEY, the first start creates a key file in the data folder. */
export function openCipher(config: KeyConfig): Cipher {
  if (config.secretKeys.length === 0) createKeyFile(config.dataDir)
  return existingCipher(config)
}

/** The same with the keys that are there, and possibly none: it may be able to decrypt nothing. */
export function existingCipher(config: KeyConfig): Cipher {
  return createCipher(() => readKeys(config))
}

export function keyFile(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

/** Replaces the key file; the former key is kept beside it until `endRotation`. An interrupted rotation is resumed. */
export function beginRotation(dataDir: string): void {
  const file = keyFile(dataDir)
  const [current, former] = [readKeyFile(file), readKeyFile(oldKeyFile(dataDir))]
  if (former && former.id !== current?.id) return
  const fresh = writeNewKey(dataDir)
  rmSync(oldKeyFile(dataDir), { force: true })
  linkSync(file, oldKeyFile(dataDir))
  renameSync(fresh, file)
  flush(dataDir)
}

export function endRotation(dataDir: string): void {
  rmSync(oldKeyFile(dataDir), { force: true })
}

function oldKeyFile(dataDir: string): string {
  return `${keyFile(dataDir)}.old`
}

/** The first encrypts; those of files decrypt what was stored before SECRET_KEY was set, or while they are replaced. */
function readKeys({ dataDir, secretKeys }: KeyConfig): SecretKey[] {
  const fromFiles = [keyFile(dataDir), oldKeyFile(dataDir)].map(readKeyFile)
  return [...secretKeys.map(toSecretKey), ...fromFiles.filter((key) => key !== undefined)]
}

function readKeyFile(file: string): SecretKey | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  if (text.length < minSecretKeyLength)
    throw new ConfigError(`密钥文件 ${file} 不完整，请从保管的副本恢复；没有副本时删除它，再重新填写加密保存的设置`)
  return toSecretKey(text)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError(`密钥文件 ${file} 无法读取，请把它的所有者改为运行网站的用户`)
  }
}

/** Of several processes that start at once one creates it, and all use it. */
function createKeyFile(dataDir: string): void {
  const file = keyFile(dataDir)
  if (readKeyFile(file)) return
  const fresh = writeNewKey(dataDir)
  try {
    linkSync(fresh, file)
    flush(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh)
  }
}

/** On the disk before anything is encrypted with it. */
function writeNewKey(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = `${keyFile(dataDir)}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(path, 'wx', 0o600)
  writeSync(descriptor, `${randomBytes(32).toString('base64url')}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  giveToOwner(path, dataDir)
  return path
}

/** A command that root runs must not create a key that the site's own user cannot read. */
function giveToOwner(path: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  chownSync(path, uid, gid)
}

function flush(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
