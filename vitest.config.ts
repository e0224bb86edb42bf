import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test/longest-first.ts'

const server = 'src/server/**/*.test.ts'
/** Parts of the server that need no database of the site: they run once. */
const tools = [
  '{events,main}',
  'storage/**/*',
  'convert/**/*',
  'db/sqlite',
  'cli/demo/documents',
  'gateways/{releases,outbound/*,pay/**/*,sms/**/*}',
  'http/pages/analytics',
  'http/files/ranges',
  'http/site/service-worker',
  'http/server/{body-timeout,listen,network,shutdown,slow-requests}',
  'fulltext/text/*',
  'fulltext/engine/result-cache',
  'fulltext/sqlite/*',
  'modules/articles/articles.html',
  'modules/attachments/{file-names,uploads/upload-bytes}',
  'modules/downloads/file-name',
  'modules/spider/fetch/{file-name,private-hosts,retry-after,robots,sniff-content}',
  'modules/renditions/page-image-cache',
  'modules/comments/comments.content',
  'modules/spider/extract/*',
  'testing/spider/*',
].map((name) => `src/server/${name}.test.ts`)

/** What is awaited comes when it comes on a busy machine; a test that asks for speed says so itself. */
const patient = { expect: { poll: { timeout: 10_000 } } }

/** Files share a worker and what it has loaded: to load the server costs more than most of them do. */
const shared = {
  ...patient,
  isolate: false,
  // One for each core: left alone, Vitest keeps one core for itself, which has little to do.
  maxWorkers: availableParallelism(),
}

/** The server's tests make thousands of members. */
const populated = { ...shared, setupFiles: 'src/server/testing/quick-hashing.ts' }

/** The server's tests run twice, once on each database. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/*.test.ts', 'src/shared/**/*.test.ts', 'src/web/**/*.test.ts', 'src/web/**/*.test.tsx'],
        },
      },
      {
        test: {
          ...shared,
          name: 'tools',
          include: tools,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...populated,
          name: 'sqlite',
          include: [server],
          exclude: tools,
          globalSetup: 'src/server/testing/databases/setup-sqlite.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...populated,
          name: 'postgres',
          include: [server],
          exclude: tools,
          globalSetup: 'src/server/testing/databases/setup-postgres.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...patient,
          name: 'journeys',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'src/server/testing/databases/setup-postgres.ts',
          testTimeout: 180_000,
          hookTimeout: 120_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
    ],
  },
})
