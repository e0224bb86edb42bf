import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow test files; started late, they would delay the end of the run. Vitest goes by the size of files. */
const slowFiles = [
  'e2e/pages',
  'e2e/money',
  'e2e/endurance',
  'e2e/reading',
  'e2e/search',
  'e2e/injection',
  'e2e/admin-documents',
  'e2e/first-day',
  'e2e/admin',
  'e2e/first-hour',
  'e2e/site-admin',
  'e2e/guards',
  'e2e/formats',
  'e2e/community',
  'e2e/browse',
  'e2e/upload',
  'e2e/first-load',
  'e2e/recovery',
  'convert/office/office',
  'convert/office/prewarmed',
  'convert/render/pool/isolation',
  'storage/storage',
  'fulltext/fulltext',
  'http/api/mount',
  'documents/conversion',
  'cli/demo',
  'fulltext/bench',
  'fulltext/sqlite/open',
  'backup/backup',
  'uploads/resumable',
  'documents/documents.progress',
  'sign-in/login',
  'access/punishments',
  'credits/credits.sums',
]

/** Starts slow files first, so that the workers finish at the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's, not an array's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => getRank(a) - getRank(b))
  }
}

function getRank({ moduleId }: TestSpecification): number {
  const rank = slowFiles.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return rank < 0 ? slowFiles.length : rank
}
