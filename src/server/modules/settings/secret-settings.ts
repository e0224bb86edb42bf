import { catalogue, findField, type GroupName } from '#shared/settings.ts'
import type { Db } from '#server/db/open.ts'
import type { Cipher } from '#server/secrets/cipher.ts'
import { emptyWriteAheadLog, erasingPlainText } from '#server/secrets/encrypted-columns.ts'
import type { Change } from './parse-setting.ts'

/** Secret settings are stored encrypted: the database alone, or a backup, gives none of them away. */

/** A stored secret that cannot be decrypted: it counts as empty. */
export interface UnreadableSecret {
  category: string
  name: string
  /** Its group and label. */
  title: string
  /** Why, and what to do. */
  problem: string
}

const problems = {
  'other key':
    '保存时用的是另一个密钥，无法解密。请重新填写；或把原来的 secret.key 复制到数据目录（或设置原来的 SECRET_KEY），再重新启动',
  altered: '保存的内容被改动过，无法解密，请重新填写',
}

/** As it is stored. */
export function toStoredValue(cipher: Cipher, { category, name, value }: Change): string {
  const text = value.trim()
  return text !== '' && isSecret({ category, name }) ? cipher.encrypt(`${category}.${name}`, text) : text
}

/** Secrets as they were given; those that cannot be decrypted are left out. */
export function decryptSecrets<R extends Change>(
  cipher: Cipher,
  rows: readonly R[],
): { rows: R[]; unreadable: UnreadableSecret[] } {
  const unreadable: UnreadableSecret[] = []
  const readable = rows.flatMap((row) => {
    if (!isSecret(row)) return [row]
    const { category, name } = row
    const decrypted = cipher.decrypt(`${category}.${name}`, row.value)
    if ('text' in decrypted) return [{ ...row, value: decrypted.text }]
    unreadable.push({ category, name, title: toTitle(row), problem: problems[decrypted.failure] })
    return []
  })
  return { rows: readable, unreadable }
}

export async function listUnreadableSecrets(db: Db, cipher: Cipher): Promise<UnreadableSecret[]> {
  return decryptSecrets(cipher, await db.selectFrom('setting').selectAll().execute()).unreadable
}

/** For logs and commands: one sentence for each reason. */
export function describeUnreadable(unreadable: readonly UnreadableSecret[]): string {
  const byProblem = Map.groupBy(unreadable, ({ problem }) => problem)
  return [...byProblem].map(([problem, of]) => `${of.map(({ title }) => title).join('、')}：${problem}`).join('\n')
}

/**
 * Encrypts what is stored as plain text or with a former key. Other processes may do the same at the same time: a value
 * that has changed since it was read is left alone.
 */
export async function encryptStoredSecrets(db: Db, cipher: Cipher): Promise<number> {
  const rows = await db.selectFrom('setting').select(['category', 'name', 'value']).execute()
  const stored = rows.filter((row) => isSecret(row) && row.value !== '' && !cipher.isCurrent(row.value))
  const plain = decryptSecrets(cipher, stored).rows
  if (plain.length === 0) return 0
  await erasingPlainText(db, async (step) => {
    for (const row of plain) {
      const { category, name } = row
      const before = stored.find((other) => other.category === category && other.name === name)?.value ?? ''
      await step
        .updateTable('setting')
        .set({ value: toStoredValue(cipher, row) })
        .where('category', '=', category)
        .where('name', '=', name)
        .where('value', '=', before)
        .execute()
    }
  })
  await emptyWriteAheadLog(db)
  return plain.length
}

function isSecret({ category, name }: Pick<Change, 'category' | 'name'>): boolean {
  return findField(category, name)?.secret === true
}

function toTitle({ category, name }: Change): string {
  return `${catalogue[category as GroupName].title} · ${findField(category, name)?.label ?? name}`
}
