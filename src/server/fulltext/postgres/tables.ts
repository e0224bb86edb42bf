import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import type pg from 'pg'
import { transaction } from './transaction.ts'

/** Increment when the tables, folding or tokens change: the tables are then created anew and filled again. */
const schemaVersion = 3

export async function prepareTables(pool: pg.Pool): Promise<void> {
  await transaction(pool, async (client) => {
    // Other processes of the site may start at the same time.
    await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.SearchSchema])
    await client.query('create table if not exists search_version (version integer not null)')
    const { rows } = await client.query<{ version: number }>('select version from search_version')
    if (rows[0]?.version !== schemaVersion) await client.query(schema)
    await wereTruncated(client)
  })
}

/** Whether crash recovery has truncated the unlogged tables since the last call of any process. */
export async function wereTruncated(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query('insert into search_filled values (1) on conflict do nothing')
  return rowCount === 1
}

/**
 * Only entries have a GIN index; which of their pages match is found out by reading those. That halves the work of
 * indexing, and is fast as long as folded texts are stored inline (`toast_tuple_target`). Tokens are stored as hashes; the
 * statistics tell the planner which of them are too frequent for an index scan.
 *
 * What can be indexed again is in unlogged tables: crash recovery truncates them, which the empty `search_filled` shows.
 * Words are logged, since every process remembers which of them it has written.
 */
const schema = `
drop table if exists search_filled, search_entry, search_page, search_word;
create unlogged table search_filled (one integer primary key);
create unlogged table search_entry (
  row bigint primary key, quality real not null default 0,
  metadata_version text not null default '', pages_version text not null default '', pages integer not null default 0,
  title text not null default '', keywords text not null default '', description text not null default '',
  folded_title text not null default '', folded_metadata text not null default '',
  pinyin text not null default '',
  title_tokens integer[] not null default '{}', metadata_tokens integer[] not null default '{}', tokens integer[] not null default '{}') with (fillfactor = 70);
create unlogged table search_page (
  row bigint primary key, text text not null, folded text not null, words integer[] not null)
  with (toast_tuple_target = 8160);
create table search_word (n bigint generated always as identity primary key, word text collate "C" not null unique);
create index search_entry_title on search_entry using gin (title_tokens) with (gin_pending_list_limit = 1048576);
create index search_entry_metadata on search_entry using gin (metadata_tokens) with (gin_pending_list_limit = 1048576);
create index search_entry_tokens on search_entry using gin (tokens) with (gin_pending_list_limit = 1048576);
alter table search_entry alter column tokens set storage external;
alter table search_entry alter column tokens set statistics 1000;
delete from search_version;
insert into search_version values (${schemaVersion});
`
