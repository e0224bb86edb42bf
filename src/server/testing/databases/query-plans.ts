import { CompiledQuery, createQueryId, type QueryId, type RootOperationNode } from 'kysely'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'

/** The same database with its queries recorded; `plans` gives the steps of the query plan for each query so far. */
export function explainQueries(db: Db): { db: Db; plans(): Promise<string[][]> } {
  const built = new WeakMap<QueryId, RootOperationNode>()
  const queries: RootOperationNode[] = []
  const recording = db.withPlugin({
    transformQuery({ node, queryId }) {
      built.set(queryId, node)
      return node
    },
    // A part of another query is built, too, but has no result.
    async transformResult({ result, queryId }) {
      const node = built.get(queryId)
      if (node) queries.push(node)
      return result
    },
  })
  const explain = getEngine(db) === 'postgres' ? 'explain (costs off)' : 'explain query plan'
  return {
    db: recording,
    async plans() {
      const steps: string[][] = []
      for (const node of queries.splice(0)) {
        const { sql, parameters } = db.getExecutor().compileQuery(node, createQueryId())
        const { rows } = await db.executeQuery<{ detail?: string; 'QUERY PLAN'?: string }>(
          CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
        )
        steps.push(rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? ''))
      }
      return steps
    },
  }
}
