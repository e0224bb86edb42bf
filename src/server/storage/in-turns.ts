/** Does `work` for every item, a few at a time. The first failure is the result; what has begun is finished. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>, atOnce = 8): Promise<void> {
  const rest = items.values()
  const turns = Array.from({ length: atOnce }, async () => {
    for (const item of rest) await work(item)
  })
  const failed = (await Promise.allSettled(turns)).find((turn) => turn.status === 'rejected')
  if (failed) throw failed.reason
}
