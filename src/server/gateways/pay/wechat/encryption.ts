import { createDecipheriv } from 'node:crypto'
import * as z from 'zod/mini'

export const EncryptedResource = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  nonce: z.string(),
  associated_data: z.optional(z.string()),
  ciphertext: z.string(),
})

const tagLength = 16

/** Undefined if the APIv3 key is not the one that it was encrypted with. */
export function decrypt(resource: z.infer<typeof EncryptedResource>, apiKey: Buffer): string | undefined {
  const data = Buffer.from(resource.ciphertext, 'base64')
  if (data.length < tagLength || resource.nonce === '') return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', apiKey, resource.nonce, { authTagLength: tagLength })
    decipher.setAuthTag(data.subarray(-tagLength))
    decipher.setAAD(Buffer.from(resource.associated_data ?? ''))
    return Buffer.concat([decipher.update(data.subarray(0, -tagLength)), decipher.final()]).toString()
  } catch {
    return undefined
  }
}
