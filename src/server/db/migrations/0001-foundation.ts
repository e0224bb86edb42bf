import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Accounts, access, settings, what the public shell shows, and the queue. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index, uniqueUnlessEmpty } = tableMaker(db, engine)

  await plain('secret', (t) => t.key('name').text('value').primary(['name']))
  await plain('seed', (t) => t.key('name').int('at').primary(['name']))
  await plain('setting', (t) =>
    t.key('category').key('name').text('value').int('updated_at').primary(['category', 'name']),
  )
  await plain('revision', (t) => t.key('name').int('value').primary(['name']))

  await table('user', (t) =>
    t
      .key('username')
      .key('username_key')
      .text('password')
      .text('mobile')
      .text('email')
      .text('email_key')
      .text('address')
      .text('signature')
      .text('avatar')
      .text('identity')
      .text('realname')
      .text('remark')
      .text('register_ip')
      .text('last_login_ip')
      .int('doc_count')
      .int('article_count')
      .int('follow_count')
      .int('fans_count')
      .int('favorite_count')
      .int('comment_count')
      .int('credit_count')
      .optional('login_at')
      .stamps()
      .unique(['username_key']),
  )
  await index('user', ['doc_count', 'id'])
  await uniqueUnlessEmpty('user', 'email_key')
  await uniqueUnlessEmpty('user', 'mobile')

  await table('group', (t) =>
    t
      .key('title')
      .text('color')
      .text('description')
      .flag('is_default')
      .flag('is_display')
      .int('sort')
      .flag('enable_upload')
      .flag('enable_document_review')
      .flag('enable_comment')
      .flag('enable_comment_approval')
      .flag('enable_article')
      .flag('enable_article_approval')
      .stamps()
      .unique(['title']),
  )
  await plain('user_group', (t) => t.int('user_id').int('group_id').primary(['user_id', 'group_id']))
  await index('user_group', ['group_id'])

  await table('permission', (t) =>
    t.key('method').key('path').text('title').text('description').stamps().unique(['method', 'path']),
  )
  await plain('group_permission', (t) => t.int('group_id').int('permission_id').primary(['group_id', 'permission_id']))

  await table('punishment', (t) =>
    t
      .int('user_id')
      .int('type')
      .flag('enable')
      .text('operators')
      .text('reason')
      .text('remark')
      .optional('end_time')
      .stamps(),
  )
  await index('punishment', ['user_id'])

  await table('session', (t) =>
    t.int('user_id').text('ip').text('user_agent').int('expires_at').int('seen_at').int('created_at'),
  )
  await index('session', ['user_id'])
  await index('session', ['expires_at'])

  await plain('captcha', (t) =>
    t.key('id').key('purpose').key('answer').flag('mailed').int('expires_at').primary(['id']),
  )
  await table('email_code', (t) =>
    t.key('email').int('type').key('code').int('tries').flag('used').text('ip').int('created_at'),
  )
  await index('email_code', ['email'])
  await plain('reset_token', (t) => t.key('hash').int('user_id').key('email').int('expires_at').primary(['hash']))
  await plain('attempt', (t) => t.key('key').int('count').int('until').primary(['key']))
  await index('attempt', ['until'])

  await table('job', (t) =>
    t
      .key('kind')
      .text('payload')
      .text('key')
      .text('state')
      .int('attempts')
      .int('run_at')
      .int('lease_until')
      .text('worker')
      .text('error')
      .stamps(),
  )
  await index('job', ['state', 'run_at'])
  await index('job', ['key'])

  await table('category', (t) =>
    t
      .int('parent_id')
      .key('title')
      .text('icon')
      .text('cover')
      .text('description')
      .flag('show_description')
      .int('doc_count')
      .int('type')
      .int('sort')
      .flag('enable', 1)
      .stamps()
      .unique(['parent_id', 'title', 'type']),
  )
  await table('navigation', (t) =>
    t
      .key('title')
      .text('href')
      .text('target')
      .text('color')
      .int('sort')
      .flag('enable')
      .int('parent_id')
      .text('description')
      .flag('fixed')
      .stamps(),
  )
  await table('friendlink', (t) => t.key('title').text('link').text('description').int('sort').flag('enable').stamps())
  await table('advertisement', (t) =>
    t
      .int('user_id')
      .key('position')
      .text('title')
      .text('content')
      .text('remark')
      .flag('enable')
      .optional('start_time')
      .optional('end_time')
      .stamps(),
  )
  await index('advertisement', ['position'])
  await table('language', (t) =>
    t.key('language').key('code').flag('enable').int('total').int('sort').stamps().unique(['code']),
  )
}
