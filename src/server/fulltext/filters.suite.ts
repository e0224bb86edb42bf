import type { VisibilityFilter } from './fulltext.ts'

/** Visibility filters that need no tables in the site's database. */
export interface TestFilters {
  all: VisibilityFilter
  none: VisibilityFilter
  even: VisibilityFilter
  only(id: number): VisibilityFilter
  /** Takes longer than the budget for counting. */
  slow: VisibilityFilter
  /** Fails when it is run without ids. */
  rejectingEmpty: VisibilityFilter
  /** Always fails: its table is missing. */
  failing: VisibilityFilter
}

export function testFilters(engine: 'sqlite' | 'postgres'): TestFilters {
  const where = (condition: string): VisibilityFilter => ({
    sql: `${engine === 'sqlite' ? 'select id from (select value as id from json_each(?))' : 'select id from unnest($1::bigint[]) as id'}
      where ${condition}`,
    parameters: [undefined],
    idsParameter: 0,
  })
  const sql =
    engine === 'sqlite'
      ? {
          slow: `(with recursive count (n) as (select 1 union all select n + 1 from count where n < 1000000) select max(n) from count) > 0`,
          rejectingEmpty: `select value as id from json_each((select iif(ids = '[]', 'no ids', ids) from (select ? as ids)))`,
        }
      : {
          slow: '(select pg_sleep(0.15)) is not null',
          rejectingEmpty: `select unnest(ids) as id from (select $1::bigint[] as ids) as list where 1 / cardinality(ids) >= 0`,
        }
  return {
    all: where('true'),
    none: where('false'),
    even: where('id % 2 = 0'),
    only: (id) => where(`id = ${id}`),
    slow: where(sql.slow),
    failing: where('id in (select id from no_such_table)'),
    rejectingEmpty: { sql: sql.rejectingEmpty, parameters: [undefined], idsParameter: 0 },
  }
}
