import { CompiledQuery, createQueryId, type RootOperationNode } from 'kysely'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'

/** The same database with its queries recorded; `plans` gives the steps of the query plan for each query so far. */
export function explainQueries(db: Db): { db: Db; plans(): Promise<string[][]> } {
  const queries: RootOperationNode[] = []
  const recording = db.withPlugin({
    transformQuery({ node }) {
      queries.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
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
