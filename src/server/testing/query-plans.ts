import { CompiledQuery, createQueryId, type RootOperationNode } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** The same database, and how SQLite goes about what was asked of it: for each question, the steps of its plan. */
export function planned(db: Db): { db: Db; plans(): Promise<string[][]> } {
  const asked: RootOperationNode[] = []
  const watched = db.withPlugin({
    transformQuery({ node }) {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return {
    db: watched,
    async plans() {
      const steps: string[][] = []
      for (const node of asked.splice(0)) {
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
