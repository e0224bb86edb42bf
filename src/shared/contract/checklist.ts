import * as z from 'zod/mini'
import { get, permission, put } from '../endpoint.ts'
import { count, flag, id, none, unsetTime } from '../fields.ts'

/** What the owner of a new site does first; then what a newer version offers to a site that was there before it. */
export const checklistKeys = [
  'payment',
  'trial',
  'prices',
  'givers',
  'name',
  'logo',
  'domain',
  'https',
  'mail',
  'icp',
  'agreement',
  'time_zone',
  'categories',
  'members',
  'staff',
  'second_factor',
  'secret_key',
  'backup',
  'document',
  'offer_upload',
  'offer_review',
  'offer_whole',
  'offer_scroll',
  'offer_groups',
] as const
export type ChecklistKey = (typeof checklistKeys)[number]

const key = z.enum(checklistKeys, '没有这一项')
const access = permission('ConfigAPI/UpdateConfig')

export const checklist = {
  get: get('/checklist', {
    summary: '开站清单：本人能做的各项，以及是否已完成',
    access,
    input: none,
    reply: z.object({
      dismissed: flag,
      item: z.array(
        z.object({
          key,
          /** As the site's data show. */
          is_done: flag,
          /** The owner has said that it is not needed, or is right as it is. */
          is_settled: flag,
        }),
      ),
      /** What the items are about. */
      members: z.object({
        group_id: id,
        group_title: z.string(),
        enable_register: flag,
        enable_upload: flag,
        enable_document_review: flag,
        enable_article: flag,
        enable_article_approval: flag,
      }),
      last_backup_at: unsetTime,
      /** Why ways to pay that are switched on are not offered, a sentence for each. */
      payment_problems: z.array(z.string()),
      /** Prices in force that are seldom meant, a sentence for each. */
      price_questions: z.array(z.string()),
      /** Ready-made groups that the site does not have. */
      missing_groups: z.array(z.string()),
      /** Groups that may give more away than the ready-made ones of their titles, with the titles of these permissions. */
      generous_groups: z.array(z.object({ title: z.string(), powers: z.array(z.string()) })),
      /** How many orders that were paid by trying out still grant something. */
      trial_orders: count(),
      /** Payments can still be tried out. */
      is_trial_on: flag,
      /** The zone by which days begin, such as Asia/Shanghai. */
      time_zone: z.string(),
      /** The path of the key of the secret settings; empty for SECRET_KEY. */
      key_file: z.string(),
      /** The article with the terms of use; 0 if there is none. */
      agreement_id: count(),
    }),
  }),
  settle: put('/checklist', {
    summary: '把一项标为不需要或就这样，或撤回',
    access,
    input: z.object({ key, is_settled: flag }),
    reply: none,
  }),
  dismiss: put('/checklist/dismissed', {
    summary: '收起或重新打开开站清单',
    access,
    input: z.object({ dismissed: flag }),
    reply: none,
  }),
}
