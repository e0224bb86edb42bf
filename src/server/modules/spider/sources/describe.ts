import type { spiderSources } from '#shared/contract/spider.ts'
import type { Input } from '#shared/endpoint.ts'
import { contentTypeLabels } from '#shared/enums.ts'
import { spiderEntryLabels, spiderPublishLabels, spiderScheduleLabels } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { findUsernames } from '#server/modules/users/users.queries.ts'
import { describeCategories } from '../documents/categories.ts'

/** A source with words in place of codes and ids, for the audit log. */
export async function describeSource(
  { db }: Ctx,
  source: Input<typeof spiderSources.create>,
): Promise<Record<string, unknown>> {
  const { target, user_id, entry, publish, schedule, category_id, category_rule } = source
  const usernames = await findUsernames(db, [user_id])
  return {
    ...source,
    target: contentTypeLabels[target],
    entry: spiderEntryLabels[entry],
    publish: spiderPublishLabels[publish],
    schedule: spiderScheduleLabels[schedule],
    user_id: usernames.get(user_id) ?? '',
    category_id: await describeCategories(db, category_id),
    category_rule: category_rule.map((rule) => `${rule.pattern} → ${rule.category_id.join('、')}`),
  }
}
