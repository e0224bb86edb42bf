import type * as S3 from '@aws-sdk/client-s3'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { checkKey, checkPrefix, checkRange } from './key.ts'
import { openLocalCache } from './local-cache.ts'
import { explainS3Error, getS3Status } from './s3-errors.ts'
import { s3Upload } from './s3-upload.ts'
import { parseS3Url, type S3Location } from './s3-url.ts'
import type { Storage, StoredObject } from './storage.ts'

interface Options {
  cacheFolder: string
  /** The size of the local cache. */
  cacheBytes?: number
}

const removeConcurrency = 8

/** A bucket on any S3-compatible server. */
export async function s3Storage(url: string, { cacheFolder, cacheBytes = 4 * 1024 ** 3 }: Options): Promise<Storage> {
  const location = parseS3Url(url)
  // Loaded on demand: sites on disk do not need it.
  const sdk = await import('@aws-sdk/client-s3')
  const client = connect(sdk, location)
  const upload = s3Upload(sdk, client, location.bucket)
  const cache = await openLocalCache(cacheFolder, cacheBytes)

  const target = (key: string) => {
    checkKey(key)
    return { Bucket: location.bucket, Key: location.prefix + key }
  }

  const get = async (input: S3.GetObjectCommandInput): Promise<Readable | undefined> => {
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(input))
      return Body instanceof Readable ? Body : Readable.from([])
    } catch (error) {
      if (isMissing(error)) return undefined
      if (getS3Status(error) === 416) return Readable.from([])
      throw explainS3Error(error)
    }
  }

  return {
    async put(key, body) {
      // A body may fail before it is read: without a listener that would end the process.
      if (body instanceof Readable) body.on('error', () => {})
      try {
        await upload(target(key).Key, body)
      } catch (error) {
        if (body instanceof Readable) body.destroy()
        throw error
      }
      await cache.evict([key])
    },

    async moveIn(key, path) {
      const { Key } = target(key)
      await upload(Key, createReadStream(path, { highWaterMark: 1024 * 1024 }))
      // A new file is usually read next.
      await cache.add(key, path)
    },

    async read(key, range) {
      checkRange(range)
      return get({ ...target(key), Range: range && `bytes=${range.start}-${range.end}` })
    },

    async find(key) {
      try {
        const head = await client.send(new sdk.HeadObjectCommand(target(key)))
        return toStoredObject(key, head.ContentLength, head.LastModified)
      } catch (error) {
        if (isMissing(error)) return undefined
        throw explainS3Error(error)
      }
    },

    // Not DeleteObjects: not every server supports it, and those that do require different checksums.
    async remove(keys) {
      const targets = keys.map(target)
      await pLimit(removeConcurrency).map(targets, async (input) => {
        try {
          await client.send(new sdk.DeleteObjectCommand(input))
        } catch (error) {
          if (!isMissing(error)) throw explainS3Error(error)
        }
      })
      await cache.evict(keys)
    },

    list(prefix) {
      checkPrefix(prefix)
      return walk(sdk, client, location, prefix)
    },

    local: (key) => cache.get(key, () => get(target(key))),

    close: async () => client.destroy(),
  }
}

function connect(
  sdk: typeof S3,
  { endpoint, region, pathStyle, accessKeyId, secretAccessKey }: S3Location,
): S3.S3Client {
  // More connections than the SDK's fifty, as a slow reader occupies one.
  const agent = { keepAlive: true, maxSockets: 256 }
  return new sdk.S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 5,
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 300_000, httpAgent: agent, httpsAgent: agent },
    // Many servers support neither checksum trailers nor the Expect header, whose response the SDK would wait for.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
  })
}

async function* walk(
  sdk: typeof S3,
  client: S3.S3Client,
  location: S3Location,
  prefix: string,
): AsyncGenerator<StoredObject> {
  const input = { Bucket: location.bucket, Prefix: location.prefix + prefix }
  let token: string | undefined
  do {
    const page = await client
      .send(new sdk.ListObjectsV2Command({ ...input, ContinuationToken: token }))
      .catch(throwExplained)
    for (const { Key = '', Size, LastModified } of page.Contents ?? []) {
      // Consoles represent folders by empty objects whose key ends with a slash.
      if (!Key.endsWith('/')) yield toStoredObject(Key.slice(location.prefix.length), Size, LastModified)
    }
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token)
}

function throwExplained(error: unknown): never {
  throw explainS3Error(error)
}

function toStoredObject(key: string, size = 0, modifiedAt = new Date(0)): StoredObject {
  return { key, size, modifiedAt: modifiedAt.getTime() }
}

/** A missing object, but not a missing bucket. */
function isMissing(error: unknown): boolean {
  return getS3Status(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket')
}
