import type pg from 'pg'
import { transaction } from './transaction.ts'

/** Raise it when the tables or the way texts are folded and filed change: what is there is dropped and filled again. */
const version = 2
const lock = 7_340_113

export async function prepareTables(pool: pg.Pool): Promise<void> {
  await transaction(pool, async (client) => {
    // Other processes of the site start at the same time.
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    await client.query('create table if not exists search_version (version integer not null)')
    const { rows } = await client.query<{ version: number }>('select version from search_version')
    if (rows[0]?.version !== version) await client.query(schema)
    await wereEmptied(client)
  })
}

/** Whether the tables have lost their rows since somebody asked this the last time. */
export async function wereEmptied(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query('insert into search_filled values (1) on conflict do nothing')
  return rowCount === 1
}

/**
 * Only whole entries are indexed: to find out which of their pages have a text, those are read. That is half the work of
 * filing, and quick where folded texts lie in the row itself. Tokens are kept as hashes; the statistics tell PostgreSQL
 * which of them are so frequent that no index helps.
 *
 * What can be filed again is not logged: a crash of PostgreSQL empties those tables, and `search_filled` tells so. Words
 * stay, as every process remembers which of them are filed.
 */
const schema = `
drop table if exists search_filled, search_entry, search_page, search_word;
create unlogged table search_filled (one integer primary key);
create unlogged table search_entry (
  row bigint primary key, quality real not null default 0,
  head_mark text not null default '', pages_mark text not null default '', pages integer not null default 0,
  title text not null default '', keywords text not null default '', description text not null default '',
  folded_title text not null default '', folded_head text not null default '',
  spelling text not null default '',
  title_tokens integer[] not null default '{}', head_tokens integer[] not null default '{}', tokens integer[] not null default '{}') with (fillfactor = 70);
create unlogged table search_page (
  row bigint primary key, text text not null, folded text not null, words integer[] not null)
  with (toast_tuple_target = 8160);
create table search_word (n bigint generated always as identity primary key, word text collate "C" not null unique);
create index search_entry_title on search_entry using gin (title_tokens) with (gin_pending_list_limit = 1048576);
create index search_entry_head on search_entry using gin (head_tokens) with (gin_pending_list_limit = 1048576);
create index search_entry_tokens on search_entry using gin (tokens) with (gin_pending_list_limit = 1048576);
alter table search_entry alter column tokens set storage external;
alter table search_entry alter column tokens set statistics 1000;
delete from search_version;
insert into search_version values (${version});
`
