import type * as S3 from '@aws-sdk/client-s3'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { inTurns } from './in-turns.ts'
import { checkKey, checkPrefix, checkRange } from './key.ts'
import { localCopies } from './local-copies.ts'
import { s3Refusal, s3Status } from './s3-refusal.ts'
import { s3Upload } from './s3-upload.ts'
import { readS3Url, type S3Place } from './s3-url.ts'
import type { Storage, Stored } from './storage.ts'

interface Options {
  cacheFolder: string
  /** How much of this machine's disk copies of things may take. */
  cacheBytes?: number
}

/** Things as objects of a bucket, on any server that speaks S3. */
export async function s3Storage(url: string, { cacheFolder, cacheBytes = 4 * 1024 ** 3 }: Options): Promise<Storage> {
  const place = readS3Url(url)
  // Loaded here: sites on disk do not pay for it.
  const sdk = await import('@aws-sdk/client-s3')
  const client = connect(sdk, place)
  const upload = s3Upload(sdk, client, place.bucket)
  const copies = await localCopies(cacheFolder, cacheBytes)

  const target = (key: string) => {
    checkKey(key)
    return { Bucket: place.bucket, Key: place.prefix + key }
  }

  const get = async (input: S3.GetObjectCommandInput): Promise<Readable | undefined> => {
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(input))
      return Body instanceof Readable ? Body : Readable.from([])
    } catch (error) {
      if (isMissing(error)) return undefined
      if (s3Status(error) === 416) return Readable.from([])
      throw s3Refusal(error)
    }
  }

  return {
    async put(key, body) {
      // Listening from the start: a body that fails before it is read must not take the process down.
      if (body instanceof Readable) body.on('error', () => {})
      try {
        await upload(target(key).Key, body)
      } catch (error) {
        if (body instanceof Readable) body.destroy()
        throw error
      }
      await copies.forget([key])
    },

    async take(key, path) {
      const { Key } = target(key)
      await upload(Key, createReadStream(path, { highWaterMark: 1024 * 1024 }))
      // What has just come is what is read next.
      await copies.keep(key, path)
    },

    async read(key, range) {
      checkRange(range)
      return get({ ...target(key), Range: range && `bytes=${range.start}-${range.end}` })
    },

    async find(key) {
      try {
        const found = await client.send(new sdk.HeadObjectCommand(target(key)))
        return stored(key, found.ContentLength, found.LastModified)
      } catch (error) {
        if (isMissing(error)) return undefined
        throw s3Refusal(error)
      }
    },

    // One by one: not every server knows how to delete many, and those that do want different checksums.
    async remove(keys) {
      const targets = keys.map(target)
      await inTurns(targets, async (input) => {
        try {
          await client.send(new sdk.DeleteObjectCommand(input))
        } catch (error) {
          if (!isMissing(error)) throw s3Refusal(error)
        }
      })
      await copies.forget(keys)
    },

    list(prefix) {
      checkPrefix(prefix)
      return walk(sdk, client, place, prefix)
    },

    local: (key) => copies.local(key, () => get(target(key))),

    close: async () => client.destroy(),
  }
}

function connect(sdk: typeof S3, { endpoint, region, pathStyle, accessKeyId, secretAccessKey }: S3Place): S3.S3Client {
  // A slow reader holds its connection, so there are more of them than the SDK's fifty.
  const agent = { keepAlive: true, maxSockets: 256 }
  return new sdk.S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 5,
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 300_000, httpAgent: agent, httpsAgent: agent },
    // Many servers know neither checksum trailers nor the Expect header, for whose answer the SDK would wait.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
  })
}

async function* walk(sdk: typeof S3, client: S3.S3Client, place: S3Place, prefix: string): AsyncGenerator<Stored> {
  const input = { Bucket: place.bucket, Prefix: place.prefix + prefix }
  let token: string | undefined
  do {
    const page = await client.send(new sdk.ListObjectsV2Command({ ...input, ContinuationToken: token })).catch(refused)
    for (const { Key = '', Size, LastModified } of page.Contents ?? []) {
      // Consoles mark folders by empty things whose key ends with a slash.
      if (!Key.endsWith('/')) yield stored(Key.slice(place.prefix.length), Size, LastModified)
    }
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token)
}

function refused(error: unknown): never {
  throw s3Refusal(error)
}

function stored(key: string, size = 0, changedAt = new Date(0)): Stored {
  return { key, size, changedAt: changedAt.getTime() }
}

/** A missing bucket is a mistake of the owner; a missing thing is an answer. */
function isMissing(error: unknown): boolean {
  return s3Status(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket')
}
