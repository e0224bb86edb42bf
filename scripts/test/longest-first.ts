import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They take long though they are short to read: begun late, the last of them would have the machine to itself. */
const longest = [
  'e2e/pages',
  'e2e/endurance',
  'e2e/reading',
  'e2e/search',
  'e2e/inert',
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

/** The order in which files are begun: what takes long first, so that the workers end together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's, not an array's
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return rank < 0 ? longest.length : rank
}
