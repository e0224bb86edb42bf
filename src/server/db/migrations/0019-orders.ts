import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Orders, payments and refunds; VIP cards; download codes. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index, uniqueUnlessEmpty } = tableMaker(db, engine)
  await table('order', (t) =>
    t
      .key('order_no')
      .int('user_id')
      .int('type')
      .int('product_id')
      .int('quantity', 1)
      .int('price')
      .int('amount')
      .int('coupon_amount')
      .int('money')
      .int('bonus')
      .int('status')
      .optional('payment_method')
      .flag('has_surplus')
      .int('refunded_money')
      .int('refunded_credits')
      .optional('claimed_at')
      .optional('claim_method')
      .flag('is_hidden')
      .int('expired_at')
      .optional('paid_at')
      .optional('closed_at')
      .stamps()
      .text('product_name')
      .text('pending_key')
      .text('request_key')
      .text('claim')
      .text('claim_picture')
      .text('remark')
      .text('ip')
      .unique(['order_no']),
  )
  await index('order', ['user_id', 'id'])
  await index('order', ['status', 'expired_at'])
  await index('order', ['paid_at'])
  await index('order', ['has_surplus'])
  await index('order', ['type', 'product_id'])
  await uniqueUnlessEmpty('order', 'pending_key')
  await uniqueUnlessEmpty('order', 'request_key')

  await table('payment', (t) =>
    t
      .int('order_id')
      .key('attempt_no')
      .key('provider')
      .int('method')
      .key('merchant')
      .key('client')
      .key('ip')
      .key('state')
      .int('money')
      .optional('ask_at')
      .int('asked_count')
      .optional('paid_at')
      .stamps()
      .text('transaction_id')
      .text('instruction')
      .text('answer')
      .unique(['attempt_no']),
  )
  await index('payment', ['order_id'])
  await index('payment', ['ask_at'])
  await db.schema
    .createIndex('payment_transaction_unique')
    .on('payment')
    .columns(['provider', 'transaction_id'])
    .unique()
    .where(sql.ref('transaction_id'), '<>', sql.lit(''))
    .execute()

  await table('payment_notice', (t) =>
    t.int('payment_id').key('provider').key('attempt_no').key('outcome').int('created_at').text('detail'),
  )
  await index('payment_notice', ['payment_id'])

  await table('refund', (t) =>
    t
      .int('order_id')
      .int('payment_id')
      .key('refund_no')
      .int('money')
      .int('credits')
      .int('missing_credits')
      .key('state')
      .int('user_id')
      .stamps()
      .text('reason')
      .text('answer')
      .text('bill_day')
      .unique(['refund_no']),
  )
  await index('refund', ['order_id'])
  await index('refund', ['state'])

  await plain('bill', (t) =>
    t.key('provider').key('day').int('payments').int('money').int('created_at').primary(['provider', 'day']),
  )
  await table('bill_difference', (t) =>
    t
      .key('provider')
      .key('day')
      .key('kind')
      .key('entry')
      .key('attempt_no')
      .text('transaction_id')
      .text('order_no')
      .int('our_money')
      .int('their_money')
      .flag('is_handled')
      .stamps()
      .text('remark')
      .unique(['provider', 'day', 'kind', 'entry', 'attempt_no']),
  )
  await index('bill_difference', ['is_handled'])

  await table('document_grant', (t) =>
    t.int('user_id').int('document_id').int('order_id').int('created_at').optional('revoked_at').unique(['order_id']),
  )
  await index('document_grant', ['user_id', 'document_id'])

  await table('user_vip', (t) =>
    t
      .int('user_id')
      .int('type')
      .int('order_id')
      .int('download')
      .int('download_used')
      .int('times')
      .int('discount', 100)
      .int('joined_at')
      .int('expired_at')
      .optional('reminded_at')
      .stamps()
      .text('order_no')
      .text('reason'),
  )
  await index('user_vip', ['user_id', 'expired_at'])
  await index('user_vip', ['expired_at'])
  await uniqueUnlessEmpty('user_vip', 'order_no')
  await db.schema
    .alterTable('user')
    .addColumn('vip_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('document')
    .addColumn('is_vip', 'smallint', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`create index document_vip on document (id, status) where is_vip = 1 and deleted_at is null`.execute(db)
  await db.schema
    .alterTable('download')
    .addColumn('user_vip_id', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()

  // Permissions that were announced before there were VIP cards, and open nothing.
  const needless = sql`select id from permission where path in ('/api.v1.VIPAPI/GetVIP', '/api.v1.VIPAPI/UpdateVIP')`
  await sql`delete from group_permission where permission_id in (${needless})`.execute(db)
  await sql`delete from permission where id in (${needless})`.execute(db)

  await plain('reward_ticket', (t) => t.int('user_id').int('created_at').primary(['user_id']))
  await table('download_code_batch', (t) =>
    t
      .int('kind')
      .int('count')
      .int('max_price')
      .int('credits')
      .optional('valid_from')
      .optional('valid_until')
      .optional('voided_at')
      .int('user_id')
      .stamps()
      .text('document_ids')
      .text('note'),
  )
  await table('download_code', (t) =>
    t.int('batch_id').key('hash').int('user_id').int('order_id').optional('used_at').unique(['hash']),
  )
  await index('download_code', ['batch_id'])
  await index('download_code', ['used_at'])
  await index('download_code', ['order_id'])
}
