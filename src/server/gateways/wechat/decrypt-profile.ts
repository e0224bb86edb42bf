import { createDecipheriv } from 'node:crypto'
import * as z from 'zod/mini'

export interface EncryptedProfile {
  iv: string
  encryptedData: string
}

const Profile = z.object({
  openId: z._default(z.string(), ''),
  unionId: z._default(z.string(), ''),
  nickName: z._default(z.string(), ''),
  avatarUrl: z._default(z.string(), ''),
  watermark: z.object({ appid: z.string() }),
})
export type MiniProgramProfile = z.output<typeof Profile>

/**
 * What WeChat told the mini program about its user, encrypted (AES-128-CBC) for the owner of the session key. Undefined if it
 * was encrypted with the key of an earlier log-in, as happens when a mini program asks before it logs in.
 */
export function decryptProfile(
  sessionKey: string,
  { iv, encryptedData }: EncryptedProfile,
): MiniProgramProfile | undefined {
  try {
    const decipher = createDecipheriv('aes-128-cbc', Buffer.from(sessionKey, 'base64'), Buffer.from(iv, 'base64'))
    const text = Buffer.concat([decipher.update(Buffer.from(encryptedData, 'base64')), decipher.final()]).toString()
    return z.safeParse(Profile, JSON.parse(text)).data
  } catch {
    return undefined
  }
}
