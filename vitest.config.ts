import { defineConfig } from 'vitest/config'

const server = 'src/server/**/*.test.ts'
/** Parts of the server that need no database. */
const tools = ['src/server/storage/**/*.test.ts', 'src/server/convert/**/*.test.ts']

/** The server's tests run twice, once on each database. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/*.test.ts', 'src/shared/**/*.test.ts', 'src/web/**/*.test.ts', 'src/web/**/*.test.tsx'],
        },
      },
      {
        test: {
          name: 'tools',
          include: tools,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'sqlite',
          include: [server],
          exclude: tools,
          globalSetup: 'src/server/testing/setup-sqlite.ts',
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: [server],
          exclude: tools,
          globalSetup: 'src/server/testing/setup-postgres.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'src/server/testing/setup-postgres.ts',
          testTimeout: 90_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
