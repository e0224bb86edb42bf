import { CompiledQuery, createQueryId, type RootOperationNode } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** The same database with its queries recorded; `plans` gives the steps of SQLite's query plan for each query so far. */
export function explainQueries(db: Db): { db: Db; plans(): Promise<string[][]> } {
  const queries: RootOperationNode[] = []
  const recording = db.withPlugin({
    transformQuery({ node }) {
      queries.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return {
    db: recording,
    async plans() {
      const steps: string[][] = []
      for (const node of queries.splice(0)) {
        const { sql, parameters } = db.getExecutor().compileQuery(node, createQueryId())
        const { rows } = await db.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
        )
        steps.push(rows.map(({ detail }) => detail))
      }
      return steps
    },
  }
}
